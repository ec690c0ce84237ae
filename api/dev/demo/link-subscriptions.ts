import type { DevPayments } from "#api/dev/dev-payments.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import { getGstBasisPoints } from "#api/selling/plans/price-quote.ts";
import { getProviderSubscriptionId } from "#api/selling/subscriptions/change-subscription.ts";
import { syncCustomer, toSyncedPrice } from "#api/selling/subscriptions/sync-customer.ts";
import { ensurePaymentCustomer } from "#api/selling/subscriptions/payment-customers.ts";
import { saveEventsReadUntil } from "#api/selling/subscriptions/reconcile-payments.ts";
import { recordInvoices } from "#api/selling/subscriptions/record-invoices.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import type { ProviderInvoice, ProviderSubscription } from "#api/platform/payments/payments.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/transactions.ts";

/** Pays monthly before changing to yearly, so that she has three tax invoices. */
const CHANGED_UP = "ada@demo.test";
const CHANGED_UP_DAYS = 55;

/** Something that was done at the payment provider at a moment. */
interface PastEvent {
  readonly at: Date;
  readonly run: () => Promise<void>;
}

/**
 * Gives the subscriptions of the demo data their counterparts at the payment simulator, begun when they began, so that
 * their payments were made, have their tax invoices, and go on with the clock. What was cut off is done at the next
 * start; the mails of those days are not in the mailbox.
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
  // All of it is read below; told of one by one, it would keep the server busy for a minute.
  simulator.webhooks.setBehaviour({ drop: true });
  try {
    const deeds: PastEvent[] = [];
    for (const subscription of unlinked) deeds.push(...(await findPastEvents(context, subscription)));
    deeds.sort((one, other) => one.at.getTime() - other.at.getTime());
    for (const deed of deeds) {
      setTime(deed.at);
      // What came due until then: a change is reckoned from the last renewal.
      await simulator.catchUp();
      await deed.run();
    }
  } finally {
    setTime(null);
  }
  await simulator.catchUp();
  await deleteNotices(context);
  simulator.webhooks.setBehaviour({});
  await numberInvoices(context, unlinked);
  for (const { user } of unlinked) await syncCustomer(context, await ensurePaymentCustomer(context, user));
  await context.em.fork().nativeDelete(Email, { id: { $nin: earlierEmails.map(({ id }) => id) } });
}

/** Leaves nothing to be told of those days, neither by webhook nor when lost notices are asked for. */
async function deleteNotices({ clock, pool }: Context): Promise<void> {
  await pool.query("update payment_simulator.deliveries set state = 'dropped' where state = 'waiting'");
  await saveEventsReadUntil(pool, clock.now());
}

/** Gives the payments of all customers their tax invoices in the order in which they were made. */
async function numberInvoices(context: Context, subscriptions: readonly Subscription[]): Promise<void> {
  const payments: { user: User; subscription: ProviderSubscription; invoice: ProviderInvoice }[] = [];
  for (const { user } of subscriptions) {
    const found = await context.payments.listSubscriptions(await ensurePaymentCustomer(context, user));
    for (const subscription of found)
      for (const invoice of subscription.invoices) payments.push({ user, subscription, invoice });
  }
  payments.sort((one, other) => one.invoice.createdAt.getTime() - other.invoice.createdAt.getTime());
  await inTransaction(context, async (em) => {
    for (const { user, subscription, invoice } of payments)
      await recordInvoices(context, em, user, [{ ...subscription, invoices: [invoice] }]);
  });
}

async function findPastEvents(context: Context, subscription: Subscription): Promise<PastEvent[]> {
  const { payments } = context;
  const isChangedUp = subscription.user.email === CHANGED_UP;
  const planPrice = await findPlanPrice(context.em, subscription.planPrice);
  const monthly = await findPlanPrice(context.em, "xer-professional-monthly");
  if (!planPrice || !monthly) throw new Error(`the plan price ${subscription.planPrice} is gone`);
  const start = isChangedUp ? addMilliseconds(subscription.startedAt, -CHANGED_UP_DAYS * DAY) : subscription.startedAt;
  const deeds: PastEvent[] = [
    {
      at: start,
      run: async () => {
        const customerId = await ensurePaymentCustomer(context, subscription.user);
        const id = await payments.startSubscription({
          key: `demo-${subscription.id}`,
          customerId,
          paymentMethodId: "pm_card_visa",
          price: toSyncedPrice(isChangedUp ? monthly : planPrice),
          gstBasisPoints: getGstBasisPoints(subscription.user.country),
          discountCents: 0,
          checkoutId: subscription.id,
          userId: subscription.user.id,
        });
        await context.em.fork().nativeUpdate(Subscription, { id: subscription.id }, { providerSubscriptionId: id });
      },
    },
  ];
  const idNow = async () =>
    getProviderSubscriptionId(
      await context.em.fork().findOneOrFail(Subscription, subscription.id, { populate: ["user"] }),
    );
  if (isChangedUp)
    deeds.push({
      at: subscription.startedAt,
      run: async () =>
        payments.changePlanNow({
          subscriptionId: await idNow(),
          price: toSyncedPrice(planPrice),
          at: subscription.startedAt,
          key: `demo-change-${subscription.id}`,
        }),
    });
  if (subscription.status === "cancelled")
    deeds.push({
      at: addMilliseconds(subscription.currentPeriodEndsAt, -5 * DAY),
      run: async () => payments.setCancelAtPeriodEnd(await idNow(), true),
    });
  return deeds;
}
