import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { findEndpoint } from "./find-endpoint.ts";
import type { WebhookDelivery } from "./webhook-delivery.entity.ts";

export async function sendTest(context: Context, id: string): Promise<WebhookDelivery> {
  if (!(await findEndpoint(context, id))) throw notFound();
  throw notFound();
}

export async function replayDelivery(context: Context, id: string): Promise<WebhookDelivery> {
  if (!(await findEndpoint(context, id))) throw notFound();
  throw notFound();
}
