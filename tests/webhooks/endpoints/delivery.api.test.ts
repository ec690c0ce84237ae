import { beforeEach, expect, test } from "vitest";
import { MemberType } from "#schema/user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { deliverWebhook } from "#api/webhooks/endpoints/deliver-webhook.ts";
import { retryDelays } from "#api/webhooks/endpoints/record-attempt-result.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { queueDueWebhooks } from "#api/webhooks/endpoints/sweeps.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createEndpoint, recordEvents, openWebhookCalls } from "#tests/factories/webhook.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { isSignedBy, startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
const webhooks = openWebhookCalls(app);

let owner: User;

beforeEach(async () => {
  receiver.reply = (response) => response.writeHead(204).end();
  await app.services.pool.query("delete from webhook_endpoints");
  owner = await createUser(app);
});

const deliver = () => app.services.jobs.drain();
const respondWith = (status: number) => (receiver.reply = (response) => response.writeHead(status).end("no"));
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);
const setTime = (moment: number) => app.clock.setOffset(moment - Date.now());

test("an event is posted once with a signature that the Standard Webhooks package accepts", async () => {
  const { secret, posts, log } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id);
  await deliver();
  await deliver();
  expect(posts()).toHaveLength(1);
  const [post] = posts();
  if (!post) throw new Error("nothing received");
  expect([isSignedBy(secret, post), isSignedBy(secret, { ...post, body: `${post.body} ` })]).toEqual([true, false]);
  expect(post.json).toMatchObject({ type: "subscription.changed", data: { userId: owner.id, changes: ["renewed"] } });
  expect(Object.keys(post.json)).toEqual(["id", "type", "createdAt", "data"]);
  expect(post.headers["webhook-id"]).toBe(post.json.id);
  expect((await log()).rows).toMatchObject([
    {
      eventId: post.json.id,
      eventType: "SUBSCRIPTION_CHANGED",
      status: "DELIVERED",
      nextAttemptAt: null,
      payload: post.body,
      attempts: [{ status: "DELIVERED", responseStatus: 204, responseBody: null, error: null }],
    },
  ]);
  expect((await webhooks.list({}, await signInAs(app, owner))).data.webhookEndpoints).toMatchObject([
    { lastStatus: "DELIVERED", lastDeliveryAt: expect.any(String) },
  ]);
});

test("an event is not sent if the transaction is rolled back", async () => {
  const { posts } = await createEndpoint(app, receiver, owner);
  const data = { userId: owner.id, changes: [], subscription: {} as never };
  await app
    .context()
    .em.transactional(async (em) => {
      await recordWebhookEvents(app.context(), em, [{ type: "subscription.changed", userId: owner.id, data }]);
      throw new Error("rolled back");
    })
    .catch(() => {});
  await deliver();
  await runSweep(app.services, queueDueWebhooks);
  await deliver();
  expect(posts()).toEqual([]);
});

test("an event is sent only to subscribed endpoints of the customer and admins", async () => {
  const admin = await createAdmin(app);
  const [mine, admins, strangers, others, off] = await Promise.all([
    createEndpoint(app, receiver, owner),
    createEndpoint(app, receiver, admin),
    createEndpoint(app, receiver, await createUser(app)),
    createEndpoint(app, receiver, owner, { eventTypes: ["INVOICE_PAID"] }),
    createEndpoint(app, receiver, owner),
  ]);
  await off.update({ enabled: false });
  await recordEvents(app, owner.id);
  await deliver();
  expect([mine, admins, strangers, others, off].map(({ posts }) => posts().length)).toEqual([1, 1, 0, 0, 0]);
  expect(mine.posts()[0]?.json.id).toBe(admins.posts()[0]?.json.id);
  expect(isSignedBy(mine.secret, admins.posts()[0]!)).toBe(false);
});

test("an event is hidden from former and archived admins, including in the log", async () => {
  const [demoted, archived] = [await createAdmin(app), await createAdmin(app)];
  const first = await createEndpoint(app, receiver, demoted);
  const second = await createEndpoint(app, receiver, archived);
  await recordEvents(app, owner.id);
  await deliver();
  const [seen] = (await first.log()).rows;
  await recordEvents(app, owner.id);
  const em = app.context().em;
  await em.nativeUpdate(User, { id: demoted.id }, { memberType: MemberType.Regular });
  await em.nativeUpdate(User, { id: archived.id }, { archivedAt: app.clock.now() });
  await deliver();
  await recordEvents(app, owner.id);
  await deliver();
  expect([first.posts().length, second.posts().length]).toEqual([1, 1]);
  expect(await first.log()).toMatchObject({ total: 0, rows: [] });
  const again = await webhooks.replay({ id: seen.id }, await signInAs(app, demoted));
  expect(again.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  await em.nativeUpdate(User, { id: demoted.id }, { memberType: MemberType.Admin });
  expect((await first.log()).rows.map((row: { status: string }) => row.status)).toEqual(["FAILED", "DELIVERED"]);
});

test("an event that was a test can be replayed by its owner, also by staff with any role", async () => {
  for (const user of [owner, await createAdmin(app, { staffRoles: ["finance"] })]) {
    const { id, token, posts } = await createEndpoint(app, receiver, user, { eventTypes: ["INVOICE_PAID"] });
    const sent = (await webhooks.test({ id }, token)).data.sendTestWebhook;
    const { data } = await webhooks.replay({ id: sent.id }, token);
    expect(data.replayWebhookDelivery).toMatchObject({ eventId: sent.eventId, eventType: "WEBHOOK_TEST" });
    await deliver();
    expect(posts().map(({ json }) => json.type)).toEqual(["webhook.test", "webhook.test"]);
  }
});

test("a failing endpoint is retried after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and 10 h, then the delivery fails", async () => {
  const { posts, log } = await createEndpoint(app, receiver, owner);
  respondWith(500);
  await recordEvents(app, owner.id);
  await deliver();
  for (const [index, ms] of retryDelays.entries()) {
    const [{ nextAttemptAt, attempts }] = (await log()).rows;
    const { at, durationMs } = attempts.at(-1);
    const waited = Date.parse(nextAttemptAt) - Date.parse(at) - durationMs;
    expect(waited).toBeGreaterThanOrEqual(ms);
    // Logging an attempt when it starts and when it ends takes time.
    expect(waited).toBeLessThan(ms + 2_000);
    // Skip this for the first delay: the clock keeps running, so half of its five seconds may already have passed.
    if (index > 0) {
      setTime(Date.parse(nextAttemptAt) - ms / 2);
      await runOnly(app, queueDueWebhooks);
      expect(posts()).toHaveLength(index + 1);
    }
    setTime(Date.parse(nextAttemptAt) + 100);
    await runOnly(app, queueDueWebhooks);
    expect(posts()).toHaveLength(index + 2);
  }
  expect(retryDelays.reduce((sum, ms) => sum + ms, 0) / HOUR).toBeCloseTo(17.6, 1);
  wait(5 * HOUR);
  await runOnly(app, queueDueWebhooks);
  const { rows } = await log();
  expect(rows).toMatchObject([{ status: "FAILED", nextAttemptAt: null, deliveredAt: null }]);
  expect(rows[0].attempts).toHaveLength(8);
  expect(rows[0].attempts[7]).toMatchObject({
    status: "FAILED",
    responseStatus: 500,
    responseBody: "no",
    error: "The endpoint responded with status 500.",
  });
  expect(new Set(posts().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a failing endpoint receives one delivery at a time until one succeeds", async () => {
  const { posts } = await createEndpoint(app, receiver, owner);
  respondWith(503);
  await recordEvents(app, owner.id);
  await deliver();
  await recordEvents(app, owner.id, 30);
  let concurrent = 0;
  let highest = 0;
  receiver.reply = (response) => {
    highest = Math.max(highest, ++concurrent);
    setTimeout(() => {
      concurrent--;
      response.writeHead(503).end();
    }, 20);
  };
  wait(6_000);
  await runOnly(app, queueDueWebhooks);
  expect([highest, posts().length]).toEqual([1, 2]);
  receiver.reply = (response) => response.writeHead(204).end();
  wait(HOUR);
  await runOnly(app, queueDueWebhooks);
  await runOnly(app, queueDueWebhooks);
  expect(new Set(posts().map(({ headers }) => headers["webhook-id"])).size).toBe(31);
});

test("a failing endpoint is turned off after five days with one email to its owner, and can be turned on again", async () => {
  const { id, posts, log, path, update } = await createEndpoint(app, receiver, owner);
  respondWith(500);
  for (let day = 0; day <= 5; day++) {
    await recordEvents(app, owner.id, 2);
    await deliver();
    if (day < 5) wait(DAY);
  }
  const token = await signInAs(app, owner);
  const { data } = await webhooks.find({ id }, token);
  expect(data.webhookEndpoint).toMatchObject({
    enabled: false,
    disabledAt: expect.any(String),
    disabledReason: "Every attempt failed for 5 days.",
  });
  const emails = (await listEmailsTo(app, owner.email)).filter(({ subject }) => subject.includes("turned off"));
  expect(emails.map(({ subject }) => subject)).toEqual([
    `Your webhook endpoint at ${new URL(receiver.url).host} was turned off`,
  ]);
  expect(emails[0]?.text).not.toContain(path);
  const count = posts().length;
  await recordEvents(app, owner.id);
  await runOnly(app, queueDueWebhooks);
  expect(posts()).toHaveLength(count);
  expect((await log({ status: "PENDING" })).total).toBe(0);

  const expected = { disabledAt: null, disabledReason: null };
  expect((await update()).data.updateWebhookEndpoint).toMatchObject(expected);
  await recordEvents(app, owner.id);
  await deliver();
  expect(posts()).toHaveLength(count + 1);
  expect((await webhooks.find({ id }, token)).data.webhookEndpoint.enabled).toBe(true);
});

test("a failing endpoint is turned off immediately after a 410 response", async () => {
  const { id, log } = await createEndpoint(app, receiver, owner);
  respondWith(410);
  await recordEvents(app, owner.id);
  await deliver();
  expect((await log()).rows).toMatchObject([{ status: "FAILED", nextAttemptAt: null }]);
  const { data } = await webhooks.find({ id }, await signInAs(app, owner));
  expect(data.webhookEndpoint).toMatchObject({ enabled: false, disabledReason: expect.stringContaining("410 Gone") });
});

const pending = async () =>
  (await app.services.pool.query("select id from webhook_deliveries where status = 'pending'")).rows[0].id as string;

test("a delivery is attempted once, even if its job runs several times on two processes", async () => {
  const secondProcess = await openSecondProcess(app);
  const { posts, log } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id);
  const deliveryId = await pending();
  receiver.reply = (response) => setTimeout(() => response.writeHead(500).end(), 100);
  await Promise.all(
    [app.services, secondProcess, app.services, secondProcess, app.services].map((services) =>
      deliverWebhook(createContext(services), { deliveryId }),
    ),
  );
  await Promise.all([app.services.jobs.drain(), secondProcess.jobs.drain()]);
  expect(posts()).toHaveLength(1);
  expect((await log()).rows[0].attempts).toHaveLength(1);
});

test("a delivery is found by the sweep of only one of two processes if its job was lost", async () => {
  const secondProcess = await openSecondProcess(app);
  const { posts } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id, 25);
  await app.services.pool.query("delete from pgboss.job where name = 'deliver-webhook'");
  await Promise.all([app.services, secondProcess].map((services) => runSweep(services, queueDueWebhooks)));
  await Promise.all([app.services.jobs.drain(), secondProcess.jobs.drain()]);
  expect(posts()).toHaveLength(25);
});

test("a delivery is never sent after its endpoint is deleted or turned off", async () => {
  const gone = await createEndpoint(app, receiver, owner);
  const off = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id);
  await webhooks.remove({ id: gone.id }, gone.token);
  await off.update({ enabled: false });
  await deliver();
  expect(gone.posts().length + off.posts().length).toBe(0);
  expect((await off.log()).rows).toMatchObject([{ status: "FAILED", attempts: [] }]);
});
