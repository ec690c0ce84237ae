import { once } from "node:events";
import { expect, test } from "vitest";
import { createUser } from "#tests/factories/user.ts";
import { createEndpoint, openWebhookCalls } from "#tests/factories/webhook.ts";
import { startProgram } from "#tests/support/programs.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { isSignedBy, startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();

test("logs an attempt of a killed process as interrupted and repeats it after its claim expires", {
  timeout: 60_000,
}, async () => {
  const owner = await createUser(app);
  const { id, token, secret, posts, log } = await createEndpoint(app, receiver, owner);
  const sent = (await openWebhookCalls(app).test({ id }, token)).data.sendTestWebhook;
  let reached = () => {};
  const attemptStarted = new Promise<void>((resolve) => (reached = resolve));
  // The receiver never responds, and the process is killed while it waits.
  receiver.reply = () => reached();
  const { dataDir } = app.services.config;
  const work = JSON.stringify({ database: app.database, dataDir, deliveryId: sent.id });
  const child = await startProgram("pause-work", [work]);
  await attemptStarted;
  child.kill("SIGKILL");
  await once(child, "exit");

  receiver.reply = (response) => response.writeHead(204).end();
  await app.services.jobs.runSweeps();
  expect(posts()).toHaveLength(1);
  expect((await log()).rows).toMatchObject([{ status: "PENDING", attempts: [] }]);

  // Claims use real time, which the test clock doesn't move.
  await app.services.pool.query("update webhook_deliveries set claimed_until = claimed_until - interval '31 seconds'");
  await app.services.pool.query("update webhook_attempts set open_until = open_until - interval '31 seconds'");
  const interrupted = {
    status: "INTERRUPTED",
    at: expect.any(String),
    durationMs: 0,
    responseStatus: null,
    error: "Our server was interrupted before it got a response. Your endpoint may or may not have received the event.",
  };
  expect((await log()).rows).toMatchObject([{ status: "PENDING", attempts: [interrupted] }]);
  await app.services.jobs.runSweeps();
  expect(posts()).toHaveLength(2);
  expect(posts().map(({ headers }) => headers["webhook-id"])).toEqual([sent.eventId, sent.eventId]);
  expect(isSignedBy(secret, posts()[1]!)).toBe(true);
  expect((await log()).rows).toMatchObject([
    { status: "DELIVERED", attempts: [interrupted, { status: "DELIVERED", responseStatus: 204, error: null }] },
  ]);
});
