import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import type { EndpointChange } from "#api/messaging/emails/templates/webhook-endpoint-changed.tsx";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { webhookEndpointChanged } from "#api/messaging/emails/templates/webhook-endpoint-changed.tsx";
import type { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/**
 * Emails the owner that an endpoint was added, has a new URL or has a new secret, and from which browser, in the transaction of
 * `em`. The email exposes an attacker who adds an endpoint to read licence and invoice events.
 */
export async function emailEndpointOwner(
  context: Context,
  em: EntityManager,
  endpoint: WebhookEndpoint,
  { owner, change }: { owner: User; change: EndpointChange },
): Promise<void> {
  const { actor, clock, origin } = context;
  await sendEmail(context, em, {
    template: webhookEndpointChanged,
    to: owner.email,
    data: {
      firstName: owner.firstName,
      change,
      host: new URL(endpoint.url).host,
      description: endpoint.description,
      eventTypes: endpoint.eventTypes,
      coversAllCustomers: actor?.role === "admin",
      at: clock.now(),
      browser: describeDevice(origin.userAgent),
      ip: origin.ip,
    },
  });
}
