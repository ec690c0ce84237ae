import type { ServerResponse } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { createEndpoint, openWebhookCalls } from "#tests/factories/webhook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const webhooks = openWebhookCalls(app);

let owner: User;

beforeEach(async () => {
  owner = await createUser(app);
});

/** Starts an attempt that waits for its response, and returns functions to respond and to turn the endpoint off. */
async function startAttempt() {
  const endpoint = await createEndpoint(app, receiver, owner);
  const sent = (await webhooks.test({ id: endpoint.id }, endpoint.token)).data.sendTestWebhook;
  const reached = new Promise<ServerResponse>((resolve) => (receiver.reply = resolve));
  const finished = deliverWebhook(app.context(), { deliveryId: sent.id });
  const response = await reached;
  const respond = async (status: number) => {
    response.writeHead(status).end("received");
    await finished;
  };
  const turnOff = () =>
    webhooks.update(
      { id: endpoint.id, input: { url: receiver.url, description: "", eventTypes: ["invoice.paid"], enabled: false } },
      endpoint.token,
    );
  return { ...endpoint, sent, respond, turnOff };
}

const moveBack = (seconds: number) =>
  app.services.pool.query(
    `with d as (update webhook_deliveries set claimed_until = claimed_until - $1 * interval '1 second')
     update webhook_attempts set open_until = open_until - $1 * interval '1 second'`,
    [seconds],
  );

test("logs an attempt when it starts and shows it with its start time when it has ended", async () => {
  const { log, respond, sent } = await startAttempt();
  const { rows } = await app.services.pool.query(
    "select extract(epoch from at) * 1000 as ms, open_until > now() as open from webhook_attempts where delivery_id = $1",
    [sent.id],
  );
  expect(rows).toEqual([{ ms: expect.any(String), open: true }]);
  expect((await log()).rows).toMatchObject([{ status: "pending", attempts: [] }]);
  await respond(204);
  expect((await log()).rows).toMatchObject([
    { status: "delivered", attempts: [{ status: "delivered", at: new Date(Number(rows[0].ms)).toISOString() }] },
  ]);
});

test.each([
  [204, "delivered", { status: "delivered", responseStatus: 204 }],
  [500, "failed", { status: "failed", responseStatus: 500, error: "The endpoint responded with status 500." }],
])("logs a response of %i after the endpoint was turned off and leaves the delivery %s", async (...row) => {
  const [status, delivery, attempt] = row;
  const { log, respond, turnOff } = await startAttempt();
  await turnOff();
  expect((await log()).rows).toMatchObject([{ status: "failed", attempts: [] }]);
  await respond(status);
  expect((await log()).rows).toMatchObject([{ status: delivery, nextAttemptAt: null, attempts: [attempt] }]);
});

test("replaces an interruption with the response that arrives later", async () => {
  const { log, respond, sent, posts } = await startAttempt();
  await moveBack(31);
  expect((await log()).rows).toMatchObject([{ attempts: [{ status: "interrupted" }] }]);
  receiver.reply = (response) => response.writeHead(503).end();
  await deliverWebhook(app.context(), { deliveryId: sent.id });
  expect(posts()).toHaveLength(2);
  expect((await log()).rows[0].attempts).toMatchObject([{ status: "interrupted" }, { responseStatus: 503 }]);
  // The status of the delivery depends on the attempt that started last.
  await respond(200);
  expect((await log()).rows).toMatchObject([
    { status: "pending", attempts: [{ status: "delivered", responseBody: "received" }, { responseStatus: 503 }] },
  ]);
});
