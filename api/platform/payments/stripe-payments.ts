import Stripe from "stripe";
import { SECOND } from "#api/platform/clock.ts";
import { badInput } from "#api/platform/errors.ts";
import {
  anonymizeStripeCustomer,
  createStripeCustomer,
  phasesWithTaxRates,
  refundPayments,
  scheduleOf,
  withdrawInvoice,
} from "./stripe-parts.ts";
import type { CardEntry, Payments, ProviderNotice } from "./payments.ts";
import { createStripeCatalogue } from "./stripe-catalogue.ts";
import { asking, usableCard } from "./stripe-errors.ts";
import { idOf, moment, noticeOf, preparationOf } from "./stripe-objects.ts";
import { readSubscriptions } from "./stripe-reading.ts";

/** How the provider is reached. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly cardEntry: CardEntry;
  /** Where it answers; null for its own address. */
  readonly url: string | null;
  /** How long one attempt may take; default 10 s. */
  readonly timeoutMs?: number;
}

/** Time limit of one attempt; there are two. */
const TIMEOUT_MS = 10_000;
const RETRIES = 1;

/** A notice signed longer ago than this is not believed. */
const TOLERANCE_SECONDS = 300;

/** More notices than this are not read at once; a product that was away for long reads the rest next time. */
const MOST_NOTICES = 5_000;

/**
 * The payment provider by the `stripe` package.
 * @throws Error when a live key would be sent to another address than the provider's own.
 */
export function createStripePayments(settings: StripeSettings): Payments {
  const { secretKey, webhookSecret, cardEntry, url, timeoutMs = TIMEOUT_MS } = settings;
  if (url && !secretKey.startsWith("sk_test_"))
    throw new Error("A live key of the payment provider is never sent to another address than its own.");
  const address = url ? new URL(url) : null;
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(address
      ? { host: address.hostname, port: address.port, protocol: address.protocol.replace(":", "") as "http" | "https" }
      : {}),
  });
  const catalogue = createStripeCatalogue(stripe);

  /** The subscription with its one item and its schedule. */
  const itemOf = async (subscriptionId: string) => {
    const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand: ["schedule"] });
    const item = subscription.items.data[0];
    if (!item) throw new Error(`subscription ${subscriptionId} has no item`);
    return { subscription, item };
  };
  /** Takes a planned change back: a subscription under a schedule cannot be changed otherwise. */
  const releaseSchedule = async (subscription: Stripe.Subscription): Promise<void> => {
    const schedule = scheduleOf(subscription);
    if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
  };

  return {
    cardEntry,
    syncPlans: (plans) => asking(() => catalogue.sync(plans)),

    createCustomer: (asked) => asking(() => createStripeCustomer(stripe, asked)),

    anonymizeCustomer: (customerId) => asking(() => anonymizeStripeCustomer(stripe, customerId)),

    createCard: ({ number, expiryMonth, expiryYear, cvc }) =>
      asking(async () => {
        const card = { number, exp_month: expiryMonth, exp_year: expiryYear, cvc };
        return (await stripe.paymentMethods.create({ type: "card", card })).id;
      }),

    startSubscription: (asked) =>
      asking(async () => {
        const { key, customerId, paymentMethodId, checkoutId, userId, discountCents } = asked;
        const [price, taxRate] = [
          await catalogue.priceIdOf(asked.price),
          await catalogue.taxRateIdOf(asked.gstBasisPoints),
        ];
        // Its id changes when it was one of the provider's test tokens.
        const card = await usableCard(() =>
          stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }, { idempotencyKey: `${key}-attach` }),
        );
        const coupon =
          discountCents > 0
            ? await stripe.coupons.create(
                {
                  amount_off: discountCents,
                  currency: "aud",
                  duration: "once",
                  max_redemptions: 1,
                  name: "Promo code",
                },
                { idempotencyKey: `${key}-coupon` },
              )
            : null;
        const subscription = await stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price }],
            default_payment_method: card.id,
            // Attempts the payment at once; what the bank still asks is asked of the customer, who is present.
            payment_behavior: "allow_incomplete",
            metadata: { checkoutId, userId },
            ...(taxRate ? { default_tax_rates: [taxRate] } : {}),
            ...(coupon ? { discounts: [{ coupon: coupon.id }] } : {}),
          },
          { idempotencyKey: key },
        );
        return subscription.id;
      }),

    listSubscriptions: (customerId) => asking(() => readSubscriptions(stripe, catalogue, customerId)),

    previewChange: ({ subscriptionId, price, at }) =>
      asking(async () => {
        const { item } = await itemOf(subscriptionId);
        const preview = await stripe.invoices.createPreview({
          subscription: subscriptionId,
          subscription_details: {
            items: [{ id: item.id, price: await catalogue.priceIdOf(price) }],
            proration_behavior: "always_invoice",
            proration_date: secondsOf(at),
          },
        });
        const gstCents = (preview.total_taxes ?? []).reduce((all, { amount }) => all + amount, 0);
        return {
          amountCents: preview.total - gstCents,
          gstCents,
          totalCents: preview.total,
          dueCents: preview.amount_due,
          periodEnd: moment(Math.max(...preview.lines.data.map((line) => line.period.end))),
        };
      }),

    changeNow: ({ subscriptionId, price, at, key }) =>
      asking(async () => {
        const { subscription, item } = await itemOf(subscriptionId);
        const id = await catalogue.priceIdOf(price);
        // A repeated call whose first answer was lost.
        if (item.price.id === id) return;
        await releaseSchedule(subscription);
        await stripe.subscriptions.update(
          subscriptionId,
          {
            items: [{ id: item.id, price: id }],
            proration_behavior: "always_invoice",
            proration_date: secondsOf(at),
            payment_behavior: "error_if_incomplete",
            // The card was set up for charges to come; a bank that asks nevertheless refuses, and nothing changes.
            off_session: true,
          },
          { idempotencyKey: key },
        );
      }),

    changeAtRenewal: ({ subscriptionId, price, key }) =>
      asking(async () => {
        const { subscription, item } = await itemOf(subscriptionId);
        if (!price) return releaseSchedule(subscription);
        // One that is there is told the new plan: taking it away first could undo what another request is doing.
        const schedule =
          scheduleOf(subscription) ??
          (await stripe.subscriptionSchedules.create(
            { from_subscription: subscriptionId },
            { idempotencyKey: `${key}-schedule` },
          ));
        const present = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.start_date);
        if (!present) throw new Error(`schedule ${schedule.id} has no phase`);
        // A phase that names no tax rate would take the GST off.
        const rates = (subscription.default_tax_rates ?? []).map(({ id }) => id);
        const tax = rates.length > 0 ? { default_tax_rates: rates } : {};
        await stripe.subscriptionSchedules.update(
          schedule.id,
          {
            end_behavior: "release",
            proration_behavior: "none",
            phases: [
              { ...tax, items: [{ price: item.price.id }], start_date: present.start_date, end_date: present.end_date },
              { ...tax, items: [{ price: await catalogue.priceIdOf(price) }], metadata: { priceId: price.id } },
            ],
          },
          { idempotencyKey: `${key}-phases` },
        );
      }),

    setCancelAtPeriodEnd: (subscriptionId, cancel) =>
      asking(async () => {
        const { subscription } = await itemOf(subscriptionId);
        if (subscription.cancel_at_period_end === cancel || subscription.status === "canceled") return;
        if (cancel) await releaseSchedule(subscription);
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancel });
      }),

    withdrawUnpaid: (subscriptionId) =>
      asking(async () => {
        const { subscription } = await itemOf(subscriptionId);
        // Its invoice goes first: a bank that says yes in between finds nothing to pay.
        if (subscription.status === "incomplete" && (await withdrawInvoice(stripe, subscription)))
          await stripe.subscriptions.cancel(subscriptionId);
      }),

    cancelNow: (subscriptionId) =>
      asking(async () => {
        const { subscription } = await itemOf(subscriptionId);
        await withdrawInvoice(stripe, subscription);
        if (["canceled", "incomplete_expired"].includes(subscription.status)) return;
        await releaseSchedule(subscription);
        await stripe.subscriptions.cancel(subscriptionId);
      }),

    setGst: (subscriptionId, gstBasisPoints) =>
      asking(async () => {
        const { subscription } = await itemOf(subscriptionId);
        const rate = await catalogue.taxRateIdOf(gstBasisPoints);
        const rates = rate ? [rate] : [];
        const schedule = scheduleOf(subscription);
        // First what is planned: as long as the subscription has the old rate, this is done again.
        if (schedule)
          await stripe.subscriptionSchedules.update(schedule.id, {
            proration_behavior: "none",
            phases: phasesWithTaxRates(schedule, rates),
          });
        await stripe.subscriptions.update(subscriptionId, { default_tax_rates: rate ? rates : "" });
      }),

    prepareCard: ({ customerId, paymentMethodId, key }) =>
      asking(async () => {
        const intent = {
          customer: customerId,
          payment_method: paymentMethodId,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          confirm: true,
          usage: "off_session",
        } as const;
        return preparationOf(await usableCard(() => stripe.setupIntents.create(intent, { idempotencyKey: key })));
      }),

    readCardPreparation: (id) => asking(async () => preparationOf(await stripe.setupIntents.retrieve(id))),

    useCard: ({ customerId, paymentMethodId, subscriptionIds }) =>
      asking(async () => {
        await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } });
        for (const id of subscriptionIds)
          await stripe.subscriptions.update(id, { default_payment_method: paymentMethodId });
      }),

    payInvoice: (invoiceId, key) =>
      asking(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId);
        if (invoice.status !== "open") return;
        await stripe.invoices.pay(invoiceId, { off_session: true }, { idempotencyKey: key });
      }),

    refundInvoice: (invoiceId, key) =>
      asking(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
        await refundPayments(stripe, invoice, key);
      }),

    readNotice(body, signature, now) {
      try {
        return noticeOf(
          stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, now.getTime()),
        );
      } catch {
        throw badInput({ body: ["The signature of this notice is missing, wrong or too old."] });
      }
    },

    listNotices: (since) =>
      asking(async () => {
        const notices: ProviderNotice[] = [];
        // The provider lists the newest first, so all have to be read before the oldest is known.
        for await (const event of stripe.events.list({ created: { gte: secondsOf(since) }, limit: 100 })) {
          notices.push(noticeOf(event));
          if (notices.length >= MOST_NOTICES) break;
        }
        return notices.reverse();
      }),

    customerOfCharge: (chargeId) => asking(async () => idOf((await stripe.charges.retrieve(chargeId)).customer)),
  };
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / SECOND);
}
