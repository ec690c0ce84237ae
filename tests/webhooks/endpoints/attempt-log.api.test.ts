import type { ServerResponse } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { createEndpoint, webhooksOf } from "#tests/factories/webhook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const webhooks = webhooksOf(app);

let owner: User;

beforeEach(async () => {
  owner = await createUser(app);
});

/** An attempt that waits for its answer, and a way to give it. */
async function underWay() {
  const endpoint = await createEndpoint(app, receiver, owner);
  const sent = (await webhooks.test({ id: endpoint.id }, endpoint.token)).data.sendTestWebhook;
  const reached = new Promise<ServerResponse>((resolve) => (receiver.reply = resolve));
  const over = deliverWebhook(app.context(), { deliveryId: sent.id });
  const response = await reached;
  const answer = async (status: number) => {
    response.writeHead(status).end("heard");
    await over;
  };
  const turnOff = () =>
    webhooks.update(
      { id: endpoint.id, input: { url: receiver.url, description: "", eventTypes: ["invoice.paid"], enabled: false } },
      endpoint.token,
    );
  return { ...endpoint, sent, answer, turnOff };
}

const ago = (seconds: number) =>
  app.services.pool.query(
    `with d as (update webhook_deliveries set claimed_until = claimed_until - $1 * interval '1 second')
     update webhook_attempts set open_until = open_until - $1 * interval '1 second'`,
    [seconds],
  );

test("an attempt that begins is written down, and shown once it is over with when it began", async () => {
  const { log, answer, sent } = await underWay();
  const { rows } = await app.services.pool.query(
    "select extract(epoch from at) * 1000 as ms, open_until > now() as open from webhook_attempts where delivery_id = $1",
    [sent.id],
  );
  expect(rows).toEqual([{ ms: expect.any(String), open: true }]);
  expect((await log()).rows).toMatchObject([{ status: "pending", attempts: [] }]);
  await answer(204);
  expect((await log()).rows).toMatchObject([
    { status: "delivered", attempts: [{ status: "delivered", at: new Date(Number(rows[0].ms)).toISOString() }] },
  ]);
});

test.each([
  [204, "delivered", { status: "delivered", responseStatus: 204 }],
  [500, "failed", { status: "failed", responseStatus: 500, error: "It answered 500." }],
])("an answer of %i that comes after the endpoint was turned off is in the log; the delivery is %s", async (...row) => {
  const [status, delivery, attempt] = row;
  const { log, answer, turnOff } = await underWay();
  await turnOff();
  expect((await log()).rows).toMatchObject([{ status: "failed", attempts: [] }]);
  await answer(status);
  expect((await log()).rows).toMatchObject([{ status: delivery, nextAttemptAt: null, attempts: [attempt] }]);
});

test("an answer that comes when its attempt was given up for lost takes the place of the interruption", async () => {
  const { log, answer, sent, posts } = await underWay();
  await ago(31);
  expect((await log()).rows).toMatchObject([{ attempts: [{ status: "interrupted" }] }]);
  receiver.reply = (response) => response.writeHead(503).end();
  await deliverWebhook(app.context(), { deliveryId: sent.id });
  expect(posts()).toHaveLength(2);
  expect((await log()).rows[0].attempts).toMatchObject([{ status: "interrupted" }, { responseStatus: 503 }]);
  // The delivery goes by the attempt that was begun last.
  await answer(200);
  expect((await log()).rows).toMatchObject([
    { status: "pending", attempts: [{ status: "delivered", responseBody: "heard" }, { responseStatus: 503 }] },
  ]);
});
