import { beforeEach, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { addEndpoint, updateEndpoint } from "#api/webhooks/endpoints/change-endpoint.ts";
import { purgeWebhookLog, queueDueWebhooks } from "#api/webhooks/endpoints/sweeps.ts";
import { MemberType } from "#schema/user.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { createEndpoint, recordEvents, openWebhookCalls } from "#tests/factories/webhook.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { isSignedBy, startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();

const webhooks = openWebhookCalls(app);

let owner: User;

beforeEach(async () => {
  await app.services.pool.query("delete from webhook_endpoints");
  owner = await createUser(app, { mobile: "+61 400 000 000" });
});

const deliver = () => app.services.jobs.drain();
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);

test("the owner rolls the secret, and requests are also signed with the previous one for 24 hours", async () => {
  const { id, secret, token, posts } = await createEndpoint(app, receiver, owner);
  const rolled = (await webhooks.roll({ id }, token)).data.rollWebhookSecret.secret as string;
  expect(rolled).not.toBe(secret);
  const signedBy = async () => {
    await recordEvents(app, owner.id);
    await deliver();
    const post = posts().at(-1)!;
    return [secret, rolled].map((one) => isSignedBy(one, post));
  };
  expect(await signedBy()).toEqual([true, true]);
  wait(24 * HOUR + 1_000);
  expect(await signedBy()).toEqual([false, true]);
});

test("the owner sends a test event to one endpoint unless it is turned off", async () => {
  const one = await createEndpoint(app, receiver, owner);
  const other = await createEndpoint(app, receiver, owner);
  const { data } = await webhooks.test({ id: one.id }, one.token);
  expect(data.sendTestWebhook).toMatchObject({ eventType: "WEBHOOK_TEST", status: "PENDING", attempts: [] });
  await deliver();
  expect(one.posts()).toMatchObject([{ json: { type: "webhook.test", data: { userId: owner.id } } }]);
  expect(isSignedBy(one.secret, one.posts()[0]!)).toBe(true);
  expect(other.posts()).toEqual([]);
  await one.update({ enabled: false });
  expect((await webhooks.test({ id: one.id }, one.token)).errors?.[0]).toMatchObject({
    message: "This endpoint is turned off. Turn it on first, then try again.",
    extensions: { code: "CONFLICT" },
  });
});

test("the owner replays an event as a new delivery with the same event id and body", async () => {
  const { posts, log, token } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id);
  await deliver();
  const [first] = (await log()).rows;
  const { data } = await webhooks.replay({ id: first.id }, token);
  expect(data.replayWebhookDelivery).toMatchObject({ eventId: first.eventId, status: "PENDING" });
  expect(data.replayWebhookDelivery.id).not.toBe(first.id);
  await deliver();
  expect(posts()).toHaveLength(2);
  expect(posts()[1]?.body).toBe(posts()[0]?.body);
  expect((await log()).total).toBe(2);
});

test("the owner reads the log in pages of 20, newest first, and can filter it by status", async () => {
  const { id, log } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id, 45);
  await runOnly(app, queueDueWebhooks);
  const pages = await Promise.all([0, 20, 40, 60].map((offset) => log({ offset })));
  expect(pages.map(({ rows }) => rows.length)).toEqual([20, 20, 5, 0]);
  expect(pages[1]).toMatchObject({ total: 45, isTotalCapped: false });
  const ids = pages.flatMap(({ rows }) => rows.map((row: { id: string }) => row.id));
  expect(new Set(ids).size).toBe(45);
  expect(await log({ after: pages[0].endCursor })).toEqual(pages[1]);
  expect([pages[2].endCursor, (await log({ status: "FAILED" })).total]).toEqual([null, 0]);
  for (const nonsense of [{ offset: -1 }, { first: 101 }, { after: "x" }, { status: "lost" }]) {
    const bad = await webhooks.log({ id, ...nonsense }, await signInAs(app, owner));
    expect(bad.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  }
});

test("the owner can read deliveries for 30 days", async () => {
  const { log } = await createEndpoint(app, receiver, owner);
  await recordEvents(app, owner.id);
  await deliver();
  wait(29 * DAY);
  await runSweep(app.services, purgeWebhookLog);
  expect((await log()).total).toBe(1);
  wait(1.1 * DAY);
  await runSweep(app.services, purgeWebhookLog);
  expect((await log()).total).toBe(0);
  for (const table of ["webhook_events", "webhook_deliveries", "webhook_attempts"])
    expect((await app.services.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
});

async function makeAdmin(user: User): Promise<void> {
  const { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName } = user;
  const input = { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName };
  const answer = await app.rest("PUT", "/v1/users/admin/update-user", {
    token: await signInAs(app, await createAdmin(app)),
    body: { ...input, userId: user.id, id: user.id, memberType: MemberType.Admin, annualDeactivationLimit: 3 },
  });
  expect(answer.status, answer.text).toBe(200);
}

test("turns off the endpoints of a user who becomes an admin", async () => {
  const stranger = await createUser(app);
  const { id, posts, log, update } = await createEndpoint(app, receiver, owner);
  const off = await createEndpoint(app, receiver, owner);
  await off.update({ enabled: false });
  await recordEvents(app, owner.id);
  await makeAdmin(owner);
  await recordEvents(app, stranger.id);
  await runOnly(app, queueDueWebhooks);
  expect(posts()).toEqual([]);
  const token = await signInAs(app, owner);
  expect((await webhooks.find({ id }, token)).data.webhookEndpoint).toMatchObject({
    enabled: false,
    disabledAt: expect.any(String),
    disabledReason:
      "Turned off when you became an admin, because it would receive events for every customer. Turn it on if that is what you want.",
  });
  const failed = { status: "FAILED", nextAttemptAt: null, attempts: [] };
  const { rows } = await log();
  expect(rows).toMatchObject([failed, failed]);
  // The promotion is a change of the user, too.
  expect(rows.map(({ eventType }: { eventType: string }) => eventType).toSorted()).toEqual([
    "SUBSCRIPTION_CHANGED",
    "USER_CHANGED",
  ]);
  // An endpoint that its owner had turned off shows no reason.
  expect((await webhooks.find({ id: off.id }, token)).data.webhookEndpoint).toMatchObject({ disabledReason: null });

  await update();
  await recordEvents(app, stranger.id);
  await runOnly(app, queueDueWebhooks);
  expect(posts()).toMatchObject([{ json: { data: { userId: stranger.id } } }]);
});

test("rejects adding or turning on an endpoint as a customer after the user became an admin", async () => {
  const { id, path } = await createEndpoint(app, receiver, owner);
  await makeAdmin(owner);
  const asCustomer = createContext(app.services, { actor: { userId: owner.id, sessionId: null, role: "regular" } });
  const values = { url: receiver.url + path, description: "", eventTypes: ["invoice.paid" as const], enabled: true };
  const conflict = expect.objectContaining({ code: "CONFLICT" });
  await expect(addEndpoint(asCustomer, values)).rejects.toEqual(conflict);
  await expect(updateEndpoint(asCustomer, id, values)).rejects.toEqual(conflict);
});

test("stops when the admin's roles no longer include the data, and is hidden in the log", async () => {
  const admin = await createAdmin(app, { staffRoles: ["finance"] });
  const endpoint = await createEndpoint(app, receiver, admin);
  await recordEvents(app, owner.id);
  await deliver();
  await recordEvents(app, owner.id);
  await app.context().em.nativeUpdate(User, { id: admin.id }, { staffRoles: ["release"] });
  await deliver();
  expect([endpoint.posts().length, (await endpoint.log()).total]).toEqual([1, 0]);
  expect((await endpoint.update({ enabled: false })).data.updateWebhookEndpoint.enabled).toBe(false);
  const more = await endpoint.update({ eventTypes: ["CONTACT_CREATED"] });
  expect(more.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
});
