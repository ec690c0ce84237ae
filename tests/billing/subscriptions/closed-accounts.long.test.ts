import { afterEach, expect, test } from "vitest";
import { MemberType } from "#schema/user.ts";
import { retryPendingCancellations } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listProviderInvoices,
  loadSubscription,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { connectPayments } from "#tests/support/payment-simulator.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const { simulator } = app;
const admin = await createAdmin(app);

afterEach(() => {
  simulator.faults.clear();
  simulator.webhooks.setBehaviour({});
  return stopRenewals(app);
});

/** Calls GraphQL as an admin who signs in again, because a token expires when a test moves the clock. */
const callAsAdmin = async (call: string, variables: Record<string, unknown>) =>
  app.call(call, variables, await signInAs(app, admin));
const archive = (id: string) => callAsAdmin("archiveUser { isActive cancellationPendingSince }", { id });
const archiveOverRest = async (id: string) =>
  app.rest("PATCH", `/v1/users/${id}/archive`, { token: await signInAs(app, admin) });
const makeCorporate = (id: string) =>
  app.services.orm.em.fork().nativeUpdate(User, { id }, { memberType: MemberType.Corporate });
const restore = (id: string) => callAsAdmin("restoreUser { isActive cancellationPendingSince }", { id });
const pendingSince = async (id: string) =>
  (await callAsAdmin("user { cancellationPendingSince }", { id })).cancellationPendingSince;
const pendingList = async () =>
  (await callAsAdmin("attentionList { rows { what user { id } } }", { list: "CANCELLATIONS_PENDING" })).rows;
const atProvider = async (userId: string) =>
  (await app.services.payments.listSubscriptions(await getCustomerId(app, userId)))[0];
const subjects = async (email: string) => (await listEmailsTo(app, email)).map((mail) => mail.subject);
const getRefunds = async (userId: string) =>
  (await listProviderInvoices(app, userId)).map(({ refunds }) => refunds.map(({ amountCents }) => amountCents));
const listAdjustments = async (userId: string) => {
  const select = "select description, total_cents from tax_invoices where user_id = $1 and kind = 'adjustment'";
  return (await app.services.pool.query(select, [userId])).rows;
};
const listAudited = async (userId: string) => {
  const select = "select actor_name, after from audit_entries where user_id = $1 and action = 'refund-late-charge'";
  return (await app.services.pool.query(select, [userId])).rows;
};
/** Makes the provider reject every change to a subscription, while charges and reads still work. */
function refuseCancellations(): void {
  for (const method of ["POST", "DELETE"])
    simulator.faults.add({ method, path: "/v1/subscriptions/:id", kind: "error", times: 1_000 });
}

/** Advances the provider by a month without notifying the product. */
async function chargeAtProvider(): Promise<void> {
  simulator.webhooks.setBehaviour({ drop: true });
  app.clock.setOffset(app.clock.offsetMs + 31.5 * DAY);
  await simulator.catchUp();
}

/** Archives a subscriber while the provider rejects the cancellation, then lets the renewal be charged. */
async function archiveBeforeCharge() {
  const { user } = await createSubscriber(app);
  refuseCancellations();
  await archive(user.id);
  await chargeAtProvider();
  expect((await listProviderInvoices(app, user.id)).filter(({ status }) => status === "paid")).toHaveLength(2);
  return user;
}

test("archiving a subscriber cancels at the provider before responding, emails that the account was closed, and keeps earlier charges", async () => {
  const { user } = await createSubscriber(app);
  expect(await archive(user.id)).toEqual({ isActive: false, cancellationPendingSince: null });
  expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
  expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(true);
  await advanceTime(app, 32);
  const emails = await listEmailsTo(app, user.email);
  expect(emails.filter(({ subject }) => /account was closed/.test(subject))).toHaveLength(1);
  expect(emails.filter(({ subject }) => /is cancelled|has ended/.test(subject))).toEqual([]);
  expect(await getRefunds(user.id)).toEqual([[]]);
  const visitor = await createUser(app);
  await archive(visitor.id);
  await app.services.jobs.drain();
  expect(await subjects(visitor.email)).toEqual([]);
});

test("archiving a subscriber keeps the subscription cancelled after a restore, and lets the user resume it", async () => {
  const { user, subscription } = await createSubscriber(app);
  await archive(user.id);
  expect((await loadSubscription(app, user.id)).licence.expiresAt).toEqual(subscription.currentPeriodEndsAt);
  await restore(user.id);
  await app.services.jobs.drain();
  const { licence, subscription: after } = await loadSubscription(app, user.id);
  expect([after.isCancelledAtPeriodEnd, licence.suspendedAt]).toEqual([true, null]);
  const token = await signInAs(app, user);
  expect((await app.rest("PATCH", "/v1/subscriptions/resume-subscription", { token })).json).toBe(true);
  expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(false);
});

test("archiving a subscriber keeps the subscription of an account that is restored while the provider is unavailable", async () => {
  const { user } = await createSubscriber(app);
  simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
  await archive(user.id);
  await restore(user.id);
  simulator.faults.clear();
  await app.services.jobs.drain();
  expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(false);
});

test("archiving a subscriber shows a cancellation that the provider hasn't confirmed to staff, and retries it", async () => {
  const { user } = await createSubscriber(app);
  const { payments } = app.services;
  Object.assign(app.services, { payments: connectPayments(simulator, { timeoutMs: 400 }) });
  simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "hang", times: 1_000 });
  const archived = await archive(user.id);
  Object.assign(app.services, { payments });
  expect(archived).toEqual({ isActive: false, cancellationPendingSince: expect.stringMatching(/Z$/) });
  expect(await pendingSince(user.id)).toBe(archived.cancellationPendingSince);
  const what = "Account closed, but the Professional subscription isn't cancelled or refunded yet";
  expect(await pendingList()).toEqual([{ what, user: { id: user.id } }]);
  simulator.faults.clear();
  await retryPendingCancellations.run(app.context());
  expect([(await atProvider(user.id))?.isCancelledAtPeriodEnd, await pendingList()]).toEqual([true, []]);
});

test("archiving a subscriber stays pending if the provider's response is lost, and completes without cancelling twice", async () => {
  const { user } = await createSubscriber(app);
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions/:id", kind: "close", moment: "after", times: 2 });
  expect((await archive(user.id)).cancellationPendingSince).not.toBeNull();
  simulator.faults.clear();
  await app.services.jobs.drain({ delayed: true });
  expect([await pendingSince(user.id), (await atProvider(user.id))?.isCancelledAtPeriodEnd]).toEqual([null, true]);
  expect((await subjects(user.email)).filter((subject) => /account was closed/.test(subject))).toHaveLength(1);
});

test("archiving a subscriber returns 202 with a message over REST while it is pending, and 200 when archiving again completes it", async () => {
  const { user } = await createSubscriber(app);
  simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
  const pending = await archiveOverRest(user.id);
  expect(pending.status).toBe(202);
  expect(pending.json).toMatch(/has not confirmed the cancellation of the subscription yet/);
  simulator.faults.clear();
  const done = await archiveOverRest(user.id);
  expect([done.status, done.json, await pendingSince(user.id)]).toEqual([200, true, null]);
});

test("archiving a subscriber ends a past-due subscription and voids its open invoice", async () => {
  const { user } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 31.5);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("past_due");
  expect((await archive(user.id)).cancellationPendingSince).toBeNull();
  expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
  expect((await listProviderInvoices(app, user.id)).at(-1)?.status).toBe("void");
});

test("a charge made after archiving is refunded once, with an adjustment note, an audit entry and a line in the timeline", async () => {
  const user = await archiveBeforeCharge();
  expect(await pendingSince(user.id)).not.toBeNull();
  simulator.faults.clear();
  // The provider fails between the cancellation and the refund.
  simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", times: 1_000 });
  await expect(retryPendingCancellations.run(app.context())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await getRefunds(user.id)).toEqual([[], []]);
  expect(await pendingSince(user.id)).not.toBeNull();
  simulator.faults.clear();
  await advanceTime(app, 0.01);
  await advanceTime(app, 1);
  expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
  expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
  expect(await pendingSince(user.id)).toBeNull();
  const description = expect.stringMatching(/^Refund of tax invoice \d+, charged after the account was closed$/);
  expect(await listAdjustments(user.id)).toEqual([{ description, total_cents: -16_495 }]);
  const emails = await subjects(user.email);
  expect(emails.filter((subject) => /adjustment note/i.test(subject))).toHaveLength(1);
  expect(emails.filter((subject) => /renewed/i.test(subject))).toEqual([]);
  const after = { taxInvoice: expect.any(String), adjustmentNote: expect.any(String), refunded: "A$164.95" };
  expect(await listAudited(user.id)).toEqual([{ actor_name: "System", after }]);
  const { timeline } = await callAsAdmin("user { timeline(first: 50) { rows { title } } }", { id: user.id });
  expect(timeline.rows).toContainEqual({ title: "Refunded a charge made after the account was closed" });
});

test("a charge made after archiving is refunded once when a webhook, the job and the sweep process it concurrently in two processes", async () => {
  const user = await archiveBeforeCharge();
  const other = await openSecondProcess(app);
  const customerId = await getCustomerId(app, user.id);
  const contexts = [app.context(), createContext(other), app.context(), createContext(other)];
  simulator.faults.clear();
  await Promise.allSettled([
    ...contexts.map((context) => syncCustomer(context, customerId)),
    ...contexts.map((context) => retryPendingCancellations.run(context)),
    app.services.jobs.drain({ delayed: true }),
    other.jobs.drain({ delayed: true }),
  ]);
  // The provider rejects concurrent requests with the same key, so they are retried.
  await advanceTime(app, 0.01);
  expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
  expect(await listAdjustments(user.id)).toHaveLength(1);
  expect(await listAudited(user.id)).toHaveLength(1);
});

test("a charge made after archiving is not refunded if the account is restored before the next sync", async () => {
  const user = await archiveBeforeCharge();
  expect(await restore(user.id)).toEqual({ isActive: true, cancellationPendingSince: null });
  simulator.faults.clear();
  await advanceTime(app, 0.01);
  expect(await getRefunds(user.id)).toEqual([[], []]);
});

test.each([
  ["the account was archived", archive],
  ["staff made the customer a corporate one", makeCorporate],
])("a charge is refunded if the first payment was in progress when %s", async (_when, change) => {
  const user = await createUser(app);
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
  simulator.webhooks.setBehaviour({ drop: true });
  expect((await postSubscription(app, await signInAs(app, user))).status).toBe(503);
  await change(user.id);
  simulator.faults.clear();
  await advanceTime(app, 0.01);
  expect(await getRefunds(user.id)).toEqual([[16_495]]);
  expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
});

test("deleting an account refunds charges made while the provider rejected the cancellation", async () => {
  const { user, token } = await createSubscriber(app);
  refuseCancellations();
  await deleteAccount(app, token);
  expect(await pendingSince(user.id)).not.toBeNull();
  await chargeAtProvider();
  simulator.faults.clear();
  await advanceTime(app, 0.01);
  expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
  expect(await subjects(user.email)).toEqual([expect.stringMatching(/account was deleted/)]);
});
