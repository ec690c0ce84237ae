import { randomUUID } from "node:crypto";
import { formatIsoDay } from "#schema/dates.ts";
import type { ManualInvoiceValues } from "#schema/manual-invoice.ts";
import { refundInvoice } from "#api/billing/refunds/refund-invoice.ts";
import type { DevPayments } from "#api/dev/dev-payments.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { findPlanPrice } from "#api/billing/plans/plan.entity.ts";
import { getGstBasisPoints } from "#api/billing/plans/price-quote.ts";
import { getProviderSubscriptionId } from "#api/billing/subscriptions/change-subscription.ts";
import { toSyncedPrice } from "#api/billing/plans/sync-catalogue.ts";
import { ensurePaymentCustomer, syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { saveEventsReadUntil } from "#api/billing/subscriptions/reconcile-payments.ts";
import { recordInvoices } from "#api/billing/subscriptions/record-invoices.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { addMilliseconds, addMonths, DAY } from "#api/platform/clock.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { createInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** Account that paid monthly before changing to yearly, so it has three tax invoices. */
const UPGRADED_EMAIL = "ada@demo.test";
const DAYS_BEFORE_UPGRADE = 55;

/** A past action at the payment provider, with its time. */
interface PastEvent {
  readonly at: Date;
  readonly run: () => Promise<void>;
}

/**
 * Creates a subscription at the payment simulator for each subscription of the demo data, with the same start, so that
 * past payments have tax invoices and renewals follow the clock. Leaves no emails about the past in the mailbox. If
 * interrupted, it resumes at the next start.
 */
export async function linkDemoSubscriptions(services: Services, { simulator, setTime }: DevPayments): Promise<void> {
  const context = createContext(services);
  const unlinked = await context.em.find(
    Subscription,
    { providerSubscriptionId: null },
    { populate: ["user", "licence"], orderBy: { startedAt: "asc" } },
  );
  if (unlinked.length === 0) return;
  const earlierEmails = await context.em.find(Email, {}, { fields: ["id"] });
  // Drops the webhooks, which would keep the server busy for a minute. The code below reads all payments instead.
  simulator.webhooks.setBehaviour({ drop: true });
  // The sweep that runs beside this would read them as well, and both would wait for each other's rows.
  await saveEventsReadUntil(context.em, context.clock.now());
  try {
    const events: PastEvent[] = [];
    const unpaid = pickUnpaid(context, unlinked);
    if (unpaid) events.push(failLastRenewal(context, unpaid));
    for (const subscription of unlinked) events.push(...(await findPastEvents(context, subscription)));
    events.sort((one, other) => one.at.getTime() - other.at.getTime());
    for (const event of events) {
      setTime(event.at);
      // Processes due renewals first, because the price of a plan change depends on the last renewal.
      await simulator.catchUp();
      await event.run();
    }
  } finally {
    setTime(null);
  }
  await simulator.catchUp();
  await recordAllInvoices(context, unlinked);
  for (const { user } of unlinked) await syncCustomer(context, await ensurePaymentCustomer(context, user));
  await refundPartly(context);
  await skipPastWebhooks(context);
  simulator.webhooks.setBehaviour({});
  await context.em.fork().nativeDelete(Email, { id: { $nin: earlierEmails.map(({ id }) => id) } });
}

/** Returns a monthly subscription that was due in the last days, whose payment fails in the demo data. */
function pickUnpaid({ clock }: Context, subscriptions: readonly Subscription[]): Subscription | undefined {
  const now = clock.now();
  return subscriptions.find((subscription) => {
    const { status, planPrice, startedAt, user } = subscription;
    const due = getLastRenewal(subscription);
    return (
      status === "active" &&
      planPrice.endsWith("-monthly") &&
      !user.archivedAt &&
      due > addMilliseconds(startedAt, 2 * DAY) &&
      due < now &&
      due > addMilliseconds(now, -10 * DAY)
    );
  });
}

const getLastRenewal = ({ currentPeriodEndsAt }: Subscription) => addMonths(currentPeriodEndsAt, -1);

/** Replaces the card before the last renewal with one that the bank declines. */
function failLastRenewal(context: Context, subscription: Subscription): PastEvent {
  return {
    at: addMilliseconds(getLastRenewal(subscription), -DAY),
    run: async () => {
      const { payments } = context;
      const customerId = await ensurePaymentCustomer(context, subscription.user);
      const [current] = await payments.listSubscriptions(customerId);
      const key = `demo-card-${subscription.id}`;
      const card = await payments.setUpCard({ customerId, paymentMethodId: "pm_card_chargeCustomerFail", key });
      const paymentMethodId = card.paymentMethodId ?? "";
      await payments.setDefaultCard({ customerId, paymentMethodId, subscriptionIds: current ? [current.id] : [] });
    },
  };
}

/** Refunds A$50 of the latest payment for a yearly plan, other than of a named account, as an admin does. */
async function refundPartly(context: Context): Promise<void> {
  const em = context.em.fork();
  const subscription = await em.findOne(
    Subscription,
    { status: "active", planPrice: { $like: "%-yearly" }, user: { email: { $ne: UPGRADED_EMAIL }, archivedAt: null } },
    { orderBy: { startedAt: "desc" } },
  );
  const invoice =
    subscription &&
    (await em.findOne(
      TaxInvoice,
      { user: subscription.user.id, kind: "invoice", paidAt: { $ne: null } },
      { orderBy: { issuedAt: "desc" } },
    ));
  if (!invoice) return;
  const admin = await em.findOneOrFail(User, { signInEmail: "admin@demo.test" });
  const actor = { userId: admin.id, sessionId: null, role: "admin" } as const;
  await refundInvoice(
    { ...context, em, actor },
    {
      invoiceId: invoice.id,
      amountCents: 5_000,
      licence: "KEEP",
      reason: "Goodwill for the outage of the conversion service.",
      key: randomUUID(),
    },
  );
}

/** Drops waiting webhooks and marks past events as read, so that they are neither delivered nor fetched later. */
async function skipPastWebhooks({ clock, em, pool }: Context): Promise<void> {
  await pool.query("update payment_simulator.deliveries set state = 'dropped' where state = 'waiting'");
  await saveEventsReadUntil(em, clock.now());
}

/**
 * Records tax invoices for all customers' payments, and the invoices by hand, in the order of their dates, so that their
 * numbers follow that order.
 */
async function recordAllInvoices(context: Context, subscriptions: readonly Subscription[]): Promise<void> {
  const documents = listDemoInvoices(context);
  for (const { user } of subscriptions) {
    const found = await context.payments.listSubscriptions(await ensurePaymentCustomer(context, user));
    for (const subscription of found)
      for (const invoice of subscription.invoices)
        documents.push({
          at: invoice.createdAt,
          run: (em) => recordInvoices(context, em, user, [{ ...subscription, invoices: [invoice] }]),
        });
  }
  documents.sort((one, other) => one.at.getTime() - other.at.getTime());
  await inTransaction(context, async (em) => {
    for (const { run } of documents) await run(em);
  });
}

async function findPastEvents(context: Context, subscription: Subscription): Promise<PastEvent[]> {
  const { payments } = context;
  const isUpgraded = subscription.user.email === UPGRADED_EMAIL;
  const planPrice = await findPlanPrice(context.em, subscription.planPrice);
  const monthly = await findPlanPrice(context.em, "xer-professional-monthly");
  if (!planPrice || !monthly)
    throw new Error(`Plan price ${subscription.planPrice} or xer-professional-monthly not found.`);
  const start = isUpgraded
    ? addMilliseconds(subscription.startedAt, -DAYS_BEFORE_UPGRADE * DAY)
    : subscription.startedAt;
  const events: PastEvent[] = [
    {
      at: start,
      run: async () => {
        const customerId = await ensurePaymentCustomer(context, subscription.user);
        const id = await payments.startSubscription({
          key: `demo-${subscription.id}`,
          customerId,
          paymentMethodId: "pm_card_visa",
          price: toSyncedPrice(isUpgraded ? monthly : planPrice),
          gstBasisPoints: getGstBasisPoints(subscription.user.country),
          discountCents: 0,
          checkoutId: subscription.id,
          userId: subscription.user.id,
        });
        await context.em.fork().nativeUpdate(Subscription, { id: subscription.id }, { providerSubscriptionId: id });
      },
    },
  ];
  const getSubscriptionId = async () =>
    getProviderSubscriptionId(
      await context.em.fork().findOneOrFail(Subscription, subscription.id, { populate: ["user"] }),
    );
  if (isUpgraded)
    events.push({
      at: subscription.startedAt,
      run: async () =>
        payments.changePlanNow({
          subscriptionId: await getSubscriptionId(),
          price: toSyncedPrice(planPrice),
          at: subscription.startedAt,
          key: `demo-change-${subscription.id}`,
        }),
    });
  if (subscription.status === "cancelled")
    events.push({
      at: addMilliseconds(subscription.currentPeriodEndsAt, -5 * DAY),
      run: async () => payments.setCancelAtPeriodEnd(await getSubscriptionId(), true),
    });
  return events;
}

/** A document or entry of the past, with its time. */
interface PastDocument {
  readonly at: Date;
  readonly run: (em: EntityManager) => Promise<void>;
}

/** Returns the demo invoices on purchase order, one of them overdue, and a credit, all of corporate@demo.test. */
function listDemoInvoices(context: Context): PastDocument[] {
  const daysAgo = (days: number) => addMilliseconds(context.clock.now(), -days * DAY);
  const at = (moment: Date, em: EntityManager): Context => ({ ...context, em, clock: { now: () => moment } });
  const findCorporate = (em: EntityManager) => em.findOneOrFail(User, { email: "corporate@demo.test" });
  const issue = async (em: EntityManager, moment: Date, values: ManualInvoiceValues, key: string): Promise<void> => {
    const draft = await createInvoice(at(moment, em), (await findCorporate(em)).id, values, key);
    await issueInvoice(at(moment, em), draft.id, draft.revision);
  };
  const [overdue, open, credited] = [daysAgo(31), daysAgo(5), daysAgo(3)];
  return [
    {
      at: overdue,
      run: async (em) => {
        const key = "demo-invoice-overdue";
        const lines = [{ description: "Onsite training, half a day", quantity: 1, unitCents: 180_000 }];
        await issue(em, overdue, { lines, purchaseOrder: "PO-112907" }, key);
        // The customer got the last reminder, so the first sweep sends none.
        await em.nativeUpdate(ManualInvoice, { key }, { remindedDays: 14 });
      },
    },
    {
      at: open,
      run: async (em) => {
        const { id, productLevel, expiresAt } = await em.findOneOrFail(Licence, { user: await findCorporate(em) });
        await issue(
          em,
          open,
          {
            lines: [
              { description: "Corporate Dark Concurrent, a user for a year", quantity: 5, unitCents: 125_000 },
              { description: "Setup of the concurrent licence", quantity: 1, unitCents: 25_000, withoutPeriod: true },
            ],
            purchaseOrder: "PO-118820",
            licence: {
              licenceId: id,
              productLevel,
              numberOfUsers: 5,
              numberOfMachines: 10,
              until: formatIsoDay(addMonths(expiresAt, 12), "UTC"),
            },
          },
          "demo-invoice-open-01",
        );
      },
    },
    {
      at: credited,
      run: async (em) => {
        const values = { amountCents: 15_000, reason: "Two seats couldn't be used for a week in October" };
        await addCredit(at(credited, em), (await findCorporate(em)).id, values, "demo-credit-00001");
      },
    },
  ];
}
