import { afterEach, beforeEach, expect } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { createSubscriber, getCustomerId, listProviderInvoices } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Sets up a payment provider with a short timeout and returns actions and queries for tests of closed accounts. */
export async function setUpClosedAccounts(app: TestApp) {
  const { simulator } = app;
  const admin = await createAdmin(app);
  /** Signs in again, because a token expires when a test moves the clock. */
  const asAdmin = () => signInAs(app, admin);

  // The default timeout, 10 seconds for each of two attempts, would make tests of a slow provider too slow.
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
    simulator.webhooks.setBehaviour({});
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
    (await app.services.payments.listSubscriptions(await getCustomerId(app, userId)))[0];
  const subjects = async (email: string) => (await listEmailsTo(app, email)).map((mail) => mail.subject);
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

  /** Makes the provider reject every change to a subscription, while charges and reads still work. */
  const refuseCancellations = () => {
    for (const method of ["POST", "DELETE"])
      simulator.faults.add({ method, path: "/v1/subscriptions/:id", kind: "error", times: 1_000 });
  };

  /** Advances the provider by a month without notifying the product. */
  const chargeAtProvider = async () => {
    simulator.webhooks.setBehaviour({ drop: true });
    app.clock.setOffset(app.clock.offsetMs + 31.5 * DAY);
    await simulator.catchUp();
  };

  /** Archives a subscriber while the provider rejects the cancellation, then lets the renewal be charged. */
  const chargedAfterArchiving = async () => {
    const subscriber = await createSubscriber(app);
    refuseCancellations();
    await archive(subscriber.user.id);
    await chargeAtProvider();
    expect(
      (await listProviderInvoices(app, subscriber.user.id)).filter(({ status }) => status === "paid"),
    ).toHaveLength(2);
    return subscriber;
  };

  const getRefunds = async (userId: string) =>
    (await listProviderInvoices(app, userId)).map(({ refunds }) => refunds.map(({ amountCents }) => amountCents));

  return {
    asAdmin,
    archive,
    restore,
    pendingSince,
    pendingList,
    atProvider,
    subjects,
    documents,
    audited,
    refuseCancellations,
    chargeAtProvider,
    chargedAfterArchiving,
    getRefunds,
  };
}
