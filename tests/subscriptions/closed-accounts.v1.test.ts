import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { retryPendingCancellations } from "#api/features/subscriptions/cancel-for-closed-account.ts";
import { syncCustomer } from "#api/features/subscriptions/sync-customer.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext, type Context } from "#api/platform/context.ts";
import {
  advance,
  cardFields,
  createSubscriber,
  customerIdOf,
  invoicesAtProvider,
  postSubscription,
  subscriptionOf,
} from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const { simulator } = app;
const boss = await createAdmin(app);
/** A fresh token: the old one expires when a test moves the clock. */
const asAdmin = () => signInAs(app, boss);

// The provider's own limit, 10 s twice, would make the tests of a slow provider take half a minute each.
(app.services as { payments: Payments }).payments = createStripePayments({
  secretKey: simulator.secretKey,
  webhookSecret: "whsec_simulator",
  cardEntry: app.services.payments.cardEntry,
  url: simulator.url,
  timeoutMs: 400,
});

beforeEach(() => simulator.faults.clear());
afterEach(() => {
  simulator.faults.clear();
  simulator.webhooks.behave({});
});

const archive = async (id: string) =>
  app.graphql(
    "mutation ($id: ID!) { archiveUser(id: $id) { isActive cancellationPendingSince } }",
    { id },
    await asAdmin(),
  );
const restore = async (id: string) =>
  app.graphql(
    "mutation ($id: ID!) { restoreUser(id: $id) { isActive cancellationPendingSince } }",
    { id },
    await asAdmin(),
  );
const pendingSince = async (id: string) =>
  (await app.graphql("query ($id: ID!) { user(id: $id) { cancellationPendingSince } }", { id }, await asAdmin())).data
    .user.cancellationPendingSince as string | null;
const pendingList = async () =>
  (
    await app.graphql(
      '{ attentionList(list: "cancellations-pending") { total rows { what user { id } } } }',
      {},
      await asAdmin(),
    )
  ).data.attentionList as { total: number; rows: { what: string; user: { id: string } }[] };
const atProvider = async (userId: string) =>
  (await app.services.payments.listSubscriptions(await customerIdOf(app, userId)))[0];
const subjects = async (email: string) => (await mailsTo(app, email)).map((mail) => mail.subject);
const documents = async (userId: string) =>
  (
    await app.services.pool.query(
      "select kind, description, total_cents as cents from tax_invoices where user_id = $1 order by kind desc, number",
      [userId],
    )
  ).rows as { kind: string; description: string; cents: number }[];
const audited = async (userId: string, action: string) =>
  (
    await app.services.pool.query("select actor_name, after from audit_entries where user_id = $1 and action = $2", [
      userId,
      action,
    ])
  ).rows;

/** Makes the provider refuse every change of a subscription, while it still charges and answers questions. */
const refuseCancellations = () => {
  for (const method of ["POST", "DELETE"])
    simulator.faults.add({ method, path: "/v1/subscriptions/:id", kind: "error", times: 1_000 });
};

/** Lets a month pass at the provider alone; the product learns of it later. */
async function chargeAtProvider() {
  simulator.webhooks.behave({ drop: true });
  app.clock.setOffset(app.clock.offsetMs + 31.5 * DAY);
  await simulator.catchUp();
}

/** Archives a subscriber while the provider refuses the cancellation, and lets the next renewal be charged. */
async function chargedAfterArchiving() {
  const subscriber = await createSubscriber(app);
  refuseCancellations();
  await archive(subscriber.user.id);
  await chargeAtProvider();
  expect((await invoicesAtProvider(app, subscriber.user.id)).filter(({ status }) => status === "paid")).toHaveLength(2);
  return subscriber;
}

const refundsOf = async (userId: string) =>
  (await invoicesAtProvider(app, userId)).map(({ refunds }) => refunds.map(({ amountCents }) => amountCents));

describe("archiving a subscriber", () => {
  test("has cancelled the subscription at the provider when it answers", async () => {
    const { user } = await createSubscriber(app);
    const { data } = await archive(user.id);
    expect(data.archiveUser).toEqual({ isActive: false, cancellationPendingSince: null });
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
    expect((await subscriptionOf(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(true);
  });

  test("emails that the account was closed, and not that the customer cancelled", async () => {
    const { user } = await createSubscriber(app);
    await archive(user.id);
    await advance(app, 32);
    const mails = await mailsTo(app, user.email);
    expect(mails.filter(({ subject }) => /account was closed/.test(subject))).toHaveLength(1);
    expect(
      mails.filter(({ subject, text }) => /is cancelled|has ended/.test(subject) || /You cancelled/.test(text)),
    ).toEqual([]);
  });

  test("emails nothing about billing to someone who never subscribed", async () => {
    const user = await createUser(app);
    await archive(user.id);
    await app.services.jobs.drain();
    expect(await subjects(user.email)).toEqual([]);
  });

  test.each(["error", "hang", "close"] as const)(
    "answers that the cancellation is pending when the provider is away (%s), shows it to staff and retries it",
    async (kind) => {
      const { user } = await createSubscriber(app);
      simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind, times: 1_000 });
      const { data } = await archive(user.id);
      expect(data.archiveUser).toEqual({ isActive: false, cancellationPendingSince: expect.stringMatching(/Z$/) });
      expect(await pendingSince(user.id)).toBe(data.archiveUser.cancellationPendingSince);
      expect(await pendingList()).toMatchObject({
        total: 1,
        rows: [
          {
            what: "Account closed, but the Professional subscription is not cancelled or refunded yet",
            user: { id: user.id },
          },
        ],
      });
      simulator.faults.clear();
      await retryPendingCancellations.run(app.context());
      expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
      expect(await pendingSince(user.id)).toBeNull();
      expect((await pendingList()).total).toBe(0);
    },
  );

  test("stays pending when the provider's answer is lost, and settles without cancelling twice", async () => {
    const { user } = await createSubscriber(app);
    simulator.faults.add({ method: "POST", path: "/v1/subscriptions/:id", kind: "close", moment: "after", times: 2 });
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).not.toBeNull();
    simulator.faults.clear();
    await app.services.jobs.drain({ delayed: true });
    expect(await pendingSince(user.id)).toBeNull();
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
    expect((await subjects(user.email)).filter((subject) => /account was closed/.test(subject))).toHaveLength(1);
  });

  test("tries a pending cancellation again when staff archive the user a second time", async () => {
    const { user } = await createSubscriber(app);
    simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
    await archive(user.id);
    simulator.faults.clear();
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).toBeNull();
  });

  test("is answered 202 with a sentence by the REST call while the cancellation is pending, else 200 true", async () => {
    const [away, reached] = [await createSubscriber(app), await createSubscriber(app)];
    simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
    const pending = await app.rest("PATCH", `/v1/users/${away.user.id}/archive`, { token: await asAdmin() });
    expect(pending.status).toBe(202);
    expect(pending.json).toMatch(/still to be cancelled at the payment provider/);
    simulator.faults.clear();
    const done = await app.rest("PATCH", `/v1/users/${reached.user.id}/archive`, { token: await asAdmin() });
    expect([done.status, done.json]).toEqual([200, true]);
    await retryPendingCancellations.run(app.context());
  });

  test("ends a past-due subscription and withdraws its open invoice", async () => {
    const { user } = await createSubscriber(app, cardFields("failsLater"));
    await advance(app, 31.5);
    expect((await subscriptionOf(app, user.id)).subscription.status).toBe("past_due");
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).toBeNull();
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect((await invoicesAtProvider(app, user.id)).at(-1)?.status).toBe("void");
  });
});

describe("a charge made after archiving", () => {
  test("is refunded once, with an adjustment note, an audit entry and a line in the timeline", async () => {
    const { user } = await chargedAfterArchiving();
    expect(await pendingSince(user.id)).not.toBeNull();
    simulator.faults.clear();
    await advance(app, 0.01);
    await advance(app, 1);
    expect(await refundsOf(user.id)).toEqual([[], [16_495]]);
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect(await pendingSince(user.id)).toBeNull();

    const written = await documents(user.id);
    expect(written.map(({ kind, cents }) => [kind, cents])).toEqual([
      ["invoice", 16_495],
      ["invoice", 16_495],
      ["adjustment", -16_495],
    ]);
    expect(written.at(-1)?.description).toMatch(/^Refund of tax invoice \d+, charged after the account was closed$/);
    const mails = await subjects(user.email);
    expect(mails.filter((subject) => /adjustment note/i.test(subject))).toHaveLength(1);
    expect(mails.filter((subject) => /renewed/i.test(subject))).toEqual([]);
    expect(await audited(user.id, "refund-late-charge")).toEqual([
      {
        actor_name: "System",
        after: { taxInvoice: expect.any(String), adjustmentNote: expect.any(String), refunded: "A$164.95" },
      },
    ]);
    const { data } = await app.graphql(
      "query ($id: ID!) { user(id: $id) { timeline(first: 50) { rows { title } } } }",
      { id: user.id },
      await asAdmin(),
    );
    expect(data.user.timeline.rows.map(({ title }: { title: string }) => title)).toContain(
      "Refunded a charge made after the account was closed",
    );
  });

  test("is refunded once when a notice, the job and the sweep find it in two processes at the same moment", async () => {
    const { user } = await chargedAfterArchiving();
    const other = await openBeside(app);
    const customerId = await customerIdOf(app, user.id);
    const contexts: Context[] = [app.context(), createContext(other), app.context(), createContext(other)];
    simulator.faults.clear();
    await Promise.allSettled([
      ...contexts.map((context) => syncCustomer(context, customerId)),
      ...contexts.map((context) => retryPendingCancellations.run(context)),
      app.services.jobs.drain({ delayed: true }),
      other.jobs.drain({ delayed: true }),
    ]);
    // The provider tells whoever came second to wait, and they try again.
    await advance(app, 0.01);
    expect(await refundsOf(user.id)).toEqual([[], [16_495]]);
    expect((await documents(user.id)).filter(({ kind }) => kind === "adjustment")).toHaveLength(1);
    expect(await audited(user.id, "refund-late-charge")).toHaveLength(1);
  });

  test("is refunded after the provider failed between the cancellation and the refund", async () => {
    const { user } = await chargedAfterArchiving();
    simulator.faults.clear();
    simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", times: 1_000 });
    await retryPendingCancellations.run(app.context());
    expect(await refundsOf(user.id)).toEqual([[], []]);
    expect(await pendingSince(user.id)).not.toBeNull();
    simulator.faults.clear();
    await retryPendingCancellations.run(app.context());
    expect(await refundsOf(user.id)).toEqual([[], [16_495]]);
    expect(await pendingSince(user.id)).toBeNull();
  });

  test("is left to the customer when the account was restored before anyone noticed it", async () => {
    const { user } = await chargedAfterArchiving();
    expect((await restore(user.id)).data.restoreUser).toEqual({ isActive: true, cancellationPendingSince: null });
    simulator.faults.clear();
    await advance(app, 0.01);
    expect(await refundsOf(user.id)).toEqual([[], []]);
  });

  test("is refunded for a first payment that was on its way when the account was archived", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
    simulator.webhooks.behave({ drop: true });
    expect((await postSubscription(app, token)).status).toBe(503);
    await archive(user.id);
    simulator.faults.clear();
    await advance(app, 0.01);
    expect(await refundsOf(user.id)).toEqual([[16_495]]);
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
  });

  test("leaves alone what was charged before", async () => {
    const { user } = await createSubscriber(app);
    await advance(app, 5);
    await archive(user.id);
    await advance(app, 40);
    expect(await refundsOf(user.id)).toEqual([[]]);
  });
});

describe("a restored account", () => {
  test("can resume the subscription that archiving cancelled", async () => {
    const { user } = await createSubscriber(app);
    await archive(user.id);
    await restore(user.id);
    const token = await signInAs(app, user);
    const resumed = await app.rest("PATCH", "/v1/subscriptions/resume-subscription", { token });
    expect(resumed.json).toBe(true);
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(false);
  });
});

describe("a customer who deletes their account", () => {
  const leave = (token: string) =>
    app.graphql(
      "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) }",
      { input: { password: testPassword } },
      token,
    );

  test("has no subscription at the provider any more when the mutation answers", async () => {
    const { user, token } = await createSubscriber(app);
    expect((await leave(token)).data).toEqual({ deleteMyAccount: true });
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect(await pendingSince(user.id)).toBeNull();
  });

  test("is refunded what was charged afterwards while the provider refused the cancellation", async () => {
    const { user, token } = await createSubscriber(app);
    refuseCancellations();
    await leave(token);
    expect(await pendingSince(user.id)).not.toBeNull();
    await chargeAtProvider();
    simulator.faults.clear();
    await advance(app, 0.01);
    expect(await refundsOf(user.id)).toEqual([[], [16_495]]);
    expect(await subjects(user.email)).toEqual([expect.stringMatching(/account was deleted/)]);
  });
});
