import { randomUUID } from "node:crypto";
import { customerEventTypes, webhookEvents } from "#schema/webhooks.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import type { startReceiver } from "#tests/support/webhook-receiver.ts";
import { signInAs } from "./user.ts";
import { toCode } from "#schema/closed-list.ts";

const endpointFields = `id url description eventTypes enabled disabledAt disabledReason createdAt lastDeliveryAt lastStatus`;
const deliveryFields = `id eventId eventType status createdAt nextAttemptAt deliveredAt payload
  attempts { id at status durationMs responseStatus responseBody error }`;

/** Returns the webhook operations that the portal sends. */
export function openWebhookCalls(app: TestApp) {
  const call = (text: string) => (variables: Record<string, unknown>, token?: string) =>
    app.graphql(text, variables, token);
  return {
    add: call(`addWebhookEndpoint { secret endpoint { ${endpointFields} } }`),
    update: call(`updateWebhookEndpoint { ${endpointFields} }`),
    remove: call("deleteWebhookEndpoint { id }"),
    roll: call(`rollWebhookSecret { secret endpoint { ${endpointFields} } }`),
    test: call(`sendTestWebhook { ${deliveryFields} }`),
    replay: call(`replayWebhookDelivery { ${deliveryFields} }`),
    list: call(`webhookEndpoints { ${endpointFields} }`),
    find: call(`webhookEndpoint { ${endpointFields} }`),
    log: call(
      `query ($id: ID!, $first: Int, $offset: Int, $after: String, $status: WebhookDeliveryStatus) {
         webhookEndpoint(id: $id) { deliveries(first: $first, offset: $offset, after: $after, status: $status) { total isTotalCapped endCursor rows { ${deliveryFields} } } }
       }`,
    ),
  };
}

/** Creates a user's webhook endpoint for all event types, at a unique path on the receiver, with `changes`. */
export async function createEndpoint(
  app: TestApp,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  owner: User,
  changes: Record<string, unknown> = {},
) {
  const token = await signInAs(app, owner);
  const path = `/${randomUUID()}`;
  const eventTypes = customerEventTypes.map((type) => toCode(webhookEvents, type));
  const input = { url: receiver.url + path, description: "", eventTypes, ...changes };
  const answer = await openWebhookCalls(app).add({ input }, token);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  const { secret, endpoint } = answer.data.addWebhookEndpoint;
  return {
    id: endpoint.id as string,
    secret: secret as string,
    token,
    path,
    /** Returns the requests that the endpoint has received. */
    posts: () => receiver.at(path),
    /** Updates the endpoint, which is on unless `update` turns it off. */
    update: async (update: Record<string, unknown> = {}) =>
      openWebhookCalls(app).update(
        { id: endpoint.id, input: { ...input, enabled: true, ...update } },
        await signInAs(app, owner),
      ),
    /** Loads the newest deliveries. */
    log: async (variables: Record<string, unknown> = {}) =>
      (await openWebhookCalls(app).log({ id: endpoint.id, ...variables }, await signInAs(app, owner))).data
        .webhookEndpoint.deliveries,
  };
}

/** Records `times` webhook events for a user. */
export function recordEvents(app: TestApp, userId: string, times = 1): Promise<void> {
  const data = { userId, changes: ["renewed" as const], subscription: {} as never };
  const event = { type: "subscription.changed" as const, userId, data };
  return app.context().em.transactional((em) => recordWebhookEvents(app.context(), em, Array(times).fill(event)));
}
