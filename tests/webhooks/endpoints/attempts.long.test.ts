import type { ServerResponse } from "node:http";
import { expect, test, beforeEach, describe } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { retryDelays } from "#api/webhooks/endpoints/record-attempt-result.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { queueDueWebhooks } from "#api/webhooks/endpoints/sweeps.ts";
import { callAddin, callAddinFrom } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { createEndpoint, recordEvents, openWebhookCalls } from "#tests/factories/webhook.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();

describe("licence calls", () => {
  async function countActivationStatements(owner: User): Promise<string[]> {
    const licence = await createLicence(app, owner);
    return recordStatements(() => callAddin(app, "activate", licence));
  }

  test("activates a device without extra statements if no endpoint is subscribed, and with at most four if one is", async () => {
    const owner = await createUser(app);
    // The first activation of a process runs extra statements.
    await countActivationStatements(owner);
    const plain = await countActivationStatements(owner);
    expect(plain.filter((text) => /webhook/.test(text) && !/webhook_endpoints e on e.owner_id/.test(text))).toEqual([]);
    // Endpoints of other users and for other events add no statements.
    await createEndpoint(app, receiver, await createUser(app));
    await createEndpoint(app, receiver, owner, { eventTypes: ["INVOICE_PAID"] });
    expect(await countActivationStatements(owner)).toHaveLength(plain.length);
    await createEndpoint(app, receiver, owner, { eventTypes: ["LICENCE_ACTIVATED"] });
    const withSubscriber = await countActivationStatements(owner);
    expect(withSubscriber.length - plain.length).toBeLessThanOrEqual(4);
    expect(withSubscriber.length).toBeGreaterThan(plain.length);
  });

  test("writes no webhooks for licence checks and activations of known devices", async () => {
    const owner = await createUser(app);
    await createEndpoint(app, receiver, owner);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence);
    const statements = await recordStatements(async () => {
      expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
      expect((await callAddinFrom(app, device, "activate", licence)).json.data.valid).toBe(true);
    });
    expect(statements.filter((text) => /insert into webhook|update webhook/.test(text))).toEqual([]);
  });
});

describe("locks", () => {
  /**
   * Runs `blocked` while another transaction holds the locks that the statement `held` takes. Once `blocked` waits, that
   * transaction must get the locks for the statement `wanted`, if any, without waiting; otherwise both would deadlock.
   */
  async function expectNoDeadlock(held: string, wanted: string, parameter: string, blocked: () => Promise<unknown>) {
    const client = await app.services.pool.connect();
    try {
      await client.query("begin");
      await client.query(held, [parameter]);
      const running = blocked();
      await waitForLock(app);
      if (wanted) await client.query(`${wanted} nowait`, [parameter]);
      await client.query("commit");
      await running;
    } finally {
      client.release();
    }
  }

  const userFirst = "select from users where id = $1 for update";
  const endpoints = "select from webhook_endpoints where owner_id = $1 order by id for update";

  test("locks the owner before the endpoints when recording an event or sending a test event, as account deletion does", async () => {
    const owner = await createUser(app);
    const { id, token } = await createEndpoint(app, receiver, owner);
    for (const work of [() => recordEvents(app, owner.id), () => openWebhookCalls(app).test({ id }, token)])
      await expectNoDeadlock(userFirst, endpoints, owner.id, work);
  });

  test("locks endpoints in the order of their ids", async () => {
    const owner = await createUser(app);
    await Promise.all(Array.from({ length: 3 }, () => createEndpoint(app, receiver, owner)));
    // Reverse the order in which the endpoints were created.
    await app.services.pool.query(
      `update webhook_endpoints e set created_at = e.created_at - o.place * interval '1 hour'
       from (select id, row_number() over (order by id) as place from webhook_endpoints where owner_id = $1) o
      where o.id = e.id`,
      [owner.id],
    );
    const lowest =
      "select from webhook_endpoints where id = (select id from webhook_endpoints where owner_id = $1 order by id limit 1) for update";
    await expectNoDeadlock(lowest, endpoints, owner.id, () => recordEvents(app, owner.id));
  });

  test("records no event for an endpoint that is being deleted", async () => {
    const owner = await createUser(app);
    const { id } = await createEndpoint(app, receiver, owner);
    await expectNoDeadlock("delete from webhook_endpoints where id = $1", "", id, () => recordEvents(app, owner.id));
    const { rows } = await app.services.pool.query("select from webhook_events where user_id = $1", [owner.id]);
    expect(rows).toEqual([]);
  });
});

describe("the attempt log", () => {
  const webhooks = openWebhookCalls(app);

  let owner: User;

  beforeEach(async () => {
    owner = await createUser(app);
  });

  /** Starts an attempt that waits for its response, and returns a function to respond. */
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
    return { ...endpoint, sent, respond };
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
    expect((await log()).rows).toMatchObject([{ status: "PENDING", attempts: [] }]);
    await respond(204);
    expect((await log()).rows).toMatchObject([
      { status: "DELIVERED", attempts: [{ status: "DELIVERED", at: new Date(Number(rows[0].ms)).toISOString() }] },
    ]);
  });

  test.each([
    [204, "DELIVERED", { status: "DELIVERED", responseStatus: 204 }],
    [500, "FAILED", { status: "FAILED", responseStatus: 500, error: "The endpoint responded with status 500." }],
  ])("logs a response of %i after the endpoint was turned off and leaves the delivery %s", async (...row) => {
    const [status, delivery, attempt] = row;
    const { log, respond, update } = await startAttempt();
    await update({ enabled: false });
    expect((await log()).rows).toMatchObject([{ status: "FAILED", attempts: [] }]);
    await respond(status);
    expect((await log()).rows).toMatchObject([{ status: delivery, nextAttemptAt: null, attempts: [attempt] }]);
  });

  test("postpones the delivery after a 410 response of a URL that the endpoint no longer has", async () => {
    const { id, token, respond, log, update } = await startAttempt();
    await update({ url: `${receiver.url}/moved` });
    await respond(410);
    expect((await webhooks.find({ id }, token)).data.webhookEndpoint.enabled).toBe(true);
    expect((await log()).rows).toMatchObject([{ status: "PENDING", nextAttemptAt: expect.any(String) }]);
  });

  test("repeats an attempt without a response after its claim expires, and replaces its interruption with a late response", async () => {
    const { log, respond, sent, posts } = await startAttempt();
    receiver.reply = (response) => response.writeHead(503).end();
    await runOnly(app, queueDueWebhooks);
    expect(posts()).toHaveLength(1);
    // Claims use real time, which the test clock doesn't move.
    await moveBack(31);
    const error =
      "Our server was interrupted before it got a response. Your endpoint may or may not have received the event.";
    const interrupted = { status: "INTERRUPTED", durationMs: 0, responseStatus: null, error };
    expect((await log()).rows).toMatchObject([{ status: "PENDING", attempts: [interrupted] }]);
    await runOnly(app, queueDueWebhooks);
    expect(posts().map(({ headers }) => headers["webhook-id"])).toEqual([sent.eventId, sent.eventId]);
    expect((await log()).rows[0].attempts).toMatchObject([interrupted, { responseStatus: 503 }]);
    // The status of the delivery depends on the attempt that started last.
    await respond(200);
    expect((await log()).rows).toMatchObject([
      { status: "PENDING", attempts: [{ status: "DELIVERED", responseBody: "received" }, { responseStatus: 503 }] },
    ]);
  });
});

test("limits a slow receiver to three concurrent deliveries without delaying other owners", async () => {
  const slow = await createUser(app);
  const fast = await createUser(app);
  // Two endpoints of one owner, because the limit applies per owner.
  const [first, second] = [await createEndpoint(app, receiver, slow), await createEndpoint(app, receiver, slow)];
  const { posts: fastPosts } = await createEndpoint(app, receiver, fast);
  const waiting: ServerResponse[] = [];
  const isSlow = (path: string) => path === first.path || path === second.path;
  receiver.reply = (response, { path }) => (isSlow(path) ? waiting.push(response) : response.writeHead(204).end());
  await recordEvents(app, slow.id, 10);
  // The second process doesn't poll for jobs, because it could send the deliveries that the limit delays in this process.
  await openSecondProcess(app, {}, {});
  await expect.poll(() => waiting.length).toBe(3);

  for (let count = 1; count <= 3; count++) {
    await recordEvents(app, fast.id);
    await expect.poll(() => fastPosts().length).toBe(count);
  }
  expect(waiting).toHaveLength(3);

  // The remaining deliveries follow immediately, without a sweep for each.
  receiver.reply = (response) => response.writeHead(204).end();
  for (const response of waiting) response.writeHead(204).end();
  await expect.poll(() => first.posts().length + second.posts().length).toBe(20);
});

test.each([
  ["90", 90_000],
  ["86400000", DAY],
  ["soon", retryDelays[0]],
  ["1", retryDelays[0]],
])("sends an event again after the time in Retry-After: %s", async (retryAfter, delay) => {
  const owner = await createUser(app);
  const { log } = await createEndpoint(app, receiver, owner);
  receiver.reply = (response) => response.writeHead(429, { "retry-after": retryAfter }).end();
  await recordEvents(app, owner.id);
  await deliverWebhook(app.context(), { deliveryId: (await log()).rows[0].id });
  const { nextAttemptAt, attempts } = (await log()).rows[0];
  const waits = Date.parse(nextAttemptAt) - Date.parse(attempts[0].at);
  expect(waits).toBeGreaterThanOrEqual(Number(delay));
  expect(waits).toBeLessThan(Number(delay) + HOUR);
});
