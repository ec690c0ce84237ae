import Stripe from "stripe";
import { SECOND } from "#api/platform/clock.ts";
import { badInput } from "#api/platform/errors.ts";
import {
  anonymizeStripeCustomer,
  createStripeCustomer,
  startStripeSubscription,
  buildPhasesWithTaxRates,
  refundPayments,
  voidLatestInvoice,
} from "./stripe-operations.ts";
import type { CardEntry, Payments } from "./payments.ts";
import { type ProviderEvent, providerEventTypes } from "./provider-data.ts";
import { createStripeCatalogue } from "./stripe-catalogue.ts";
import { ignoreAlreadyPaid, translateStripeErrors, rejectUnusableCard } from "./stripe-errors.ts";
import { getId, toDate, toProviderEvent, toCardSetup } from "./stripe-objects.ts";
import {
  cancelAtPeriodEnd,
  getActiveSchedule,
  resumeWithPlannedChange,
  scheduleNextPhase,
} from "./stripe-schedules.ts";
import { cancelCardPayment, findCardPayment, payByCard } from "./stripe-card-payments.ts";
import { endPause, pauseSubscription, listCardMoves, refundAmount } from "./stripe-actions.ts";
import { readSubscriptions } from "./read-subscriptions.ts";

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly cardEntry: CardEntry;
  /** Base URL of the API; null for Stripe's own. */
  readonly url: string | null;
  /** Timeout of one attempt in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
}

/** Timeout of one attempt in milliseconds. There are at most two attempts. */
const TIMEOUT_MS = 10_000;
const RETRIES = 1;

/** Events signed longer ago than this are rejected. */
const TOLERANCE_SECONDS = 300;

/** Maximum number of events to read in one run, about 20 MB. */
const MAX_EVENTS = 50_000;

/**
 * Creates the payment provider client on top of the `stripe` package.
 * @throws Error if a live key would be sent to any address other than Stripe's.
 */
export function createStripePayments(settings: StripeSettings): Payments {
  const { secretKey, webhookSecret, cardEntry, url, timeoutMs = TIMEOUT_MS } = settings;
  if (url && !secretKey.startsWith("sk_test_"))
    throw new Error("Refusing to send a live payment provider key to a custom address. Use a test key.");
  const baseUrl = url ? new URL(url) : null;
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(baseUrl
      ? { host: baseUrl.hostname, port: baseUrl.port, protocol: baseUrl.protocol.replace(":", "") as "http" | "https" }
      : {}),
  });
  const catalogue = createStripeCatalogue(stripe);

  /** Loads a subscription with its only item and its schedule. */
  const loadWithItem = async (subscriptionId: string) => {
    const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand: ["schedule"] });
    const item = subscription.items.data[0];
    if (!item) throw new Error(`subscription ${subscriptionId} has no item`);
    return { subscription, item };
  };
  /** Removes a scheduled change. Stripe doesn't allow other changes while a schedule is active. */
  const releaseSchedule = async (subscription: Stripe.Subscription): Promise<void> => {
    const schedule = getActiveSchedule(subscription);
    if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
  };

  return {
    cardEntry,
    syncPlans: (plans) => translateStripeErrors(() => catalogue.sync(plans)),

    createCustomer: (values) => translateStripeErrors(() => createStripeCustomer(stripe, values)),

    anonymizeCustomer: (customerId) => translateStripeErrors(() => anonymizeStripeCustomer(stripe, customerId)),

    createCard: ({ number, expiryMonth, expiryYear, cvc }) =>
      translateStripeErrors(async () => {
        const card = { number, exp_month: expiryMonth, exp_year: expiryYear, cvc };
        return (await stripe.paymentMethods.create({ type: "card", card })).id;
      }),

    startSubscription: (values) => translateStripeErrors(() => startStripeSubscription(stripe, catalogue, values)),

    listSubscriptions: (customerId) => translateStripeErrors(() => readSubscriptions(stripe, catalogue, customerId)),

    previewChange: ({ subscriptionId, price, at }) =>
      translateStripeErrors(async () => {
        const { item } = await loadWithItem(subscriptionId);
        const preview = await stripe.invoices.createPreview({
          subscription: subscriptionId,
          subscription_details: {
            items: [{ id: item.id, price: await catalogue.getPriceId(price) }],
            proration_behavior: "always_invoice",
            proration_date: toSeconds(at),
          },
        });
        const gstCents = (preview.total_taxes ?? []).reduce((all, { amount }) => all + amount, 0);
        return {
          amountCents: preview.total - gstCents,
          gstCents,
          totalCents: preview.total,
          dueCents: preview.amount_due,
          periodEnd: toDate(Math.max(...preview.lines.data.map((line) => line.period.end))),
        };
      }),

    changePlanNow: ({ subscriptionId, price, at, key }) =>
      translateStripeErrors(async () => {
        const { subscription, item } = await loadWithItem(subscriptionId);
        const id = await catalogue.getPriceId(price);
        // This is a retry after the response to a successful call was lost.
        if (item.price.id === id) return;
        await releaseSchedule(subscription);
        await stripe.subscriptions.update(
          subscriptionId,
          {
            items: [{ id: item.id, price: id }],
            proration_behavior: "always_invoice",
            proration_date: toSeconds(at),
            payment_behavior: "error_if_incomplete",
            // The card was set up for off-session charges. If the bank still requires authentication, the change fails.
            off_session: true,
          },
          { idempotencyKey: key },
        );
      }),

    changePlanAtRenewal: ({ subscriptionId, price, key }) =>
      translateStripeErrors(async () => {
        const { subscription, item } = await loadWithItem(subscriptionId);
        if (!price) return releaseSchedule(subscription);
        // Another amount of the same plan isn't a change of plan.
        const isSamePlan = item.price.nickname === price.id;
        const metadata = { ...(isSamePlan ? {} : { priceId: price.id }), audCents: String(price.audCents) };
        await scheduleNextPhase(
          stripe,
          { subscription, item },
          { price: await catalogue.getPriceId(price), metadata, key },
        );
      }),

    setCancelAtPeriodEnd: (subscriptionId, cancel) =>
      translateStripeErrors(async () => {
        const loaded = await loadWithItem(subscriptionId);
        if (loaded.subscription.status === "canceled") return;
        if (cancel) await cancelAtPeriodEnd(stripe, loaded.subscription);
        else await resumeWithPlannedChange(stripe, loaded);
      }),

    pauseSubscription: (pause) =>
      translateStripeErrors(async () => pauseSubscription(stripe, await loadWithItem(pause.subscriptionId), pause)),

    endPause: ({ subscriptionId, now }) =>
      translateStripeErrors(async () => endPause(stripe, await loadWithItem(subscriptionId), now)),

    cancelUnpaid: (subscriptionId) =>
      translateStripeErrors(async () => {
        const { subscription } = await loadWithItem(subscriptionId);
        // Void the invoice first so that a late bank approval can't pay it.
        if (subscription.status === "incomplete" && (await voidLatestInvoice(stripe, subscription)))
          await stripe.subscriptions.cancel(subscriptionId);
      }),

    cancelNow: (subscriptionId) =>
      translateStripeErrors(async () => {
        const { subscription } = await loadWithItem(subscriptionId);
        await voidLatestInvoice(stripe, subscription);
        if (["canceled", "incomplete_expired"].includes(subscription.status)) return;
        await releaseSchedule(subscription);
        await stripe.subscriptions.cancel(subscriptionId);
      }),

    setGst: (subscriptionId, gstBasisPoints) =>
      translateStripeErrors(async () => {
        const { subscription } = await loadWithItem(subscriptionId);
        const rate = await catalogue.getTaxRateId(gstBasisPoints);
        const rates = rate ? [rate] : [];
        const schedule = getActiveSchedule(subscription);
        // Update the schedule first. If it fails, the subscription still has the old rate and this is retried.
        if (schedule)
          await stripe.subscriptionSchedules.update(schedule.id, {
            proration_behavior: "none",
            phases: buildPhasesWithTaxRates(schedule, rates),
          });
        await stripe.subscriptions.update(subscriptionId, { default_tax_rates: rate ? rates : "" });
      }),

    setUpCard: ({ customerId, paymentMethodId, key }) =>
      translateStripeErrors(async () => {
        const intent = {
          customer: customerId,
          payment_method: paymentMethodId,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          confirm: true,
          usage: "off_session",
        } as const;
        return toCardSetup(await rejectUnusableCard(() => stripe.setupIntents.create(intent, { idempotencyKey: key })));
      }),

    getCardSetup: (id) => translateStripeErrors(async () => toCardSetup(await stripe.setupIntents.retrieve(id))),

    setDefaultCard: ({ customerId, paymentMethodId, subscriptionIds }) =>
      translateStripeErrors(async () => {
        await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } });
        for (const id of subscriptionIds)
          await stripe.subscriptions.update(id, { default_payment_method: paymentMethodId });
      }),

    payInvoice: (invoiceId, key) =>
      translateStripeErrors(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId);
        if (invoice.status !== "open") return;
        await ignoreAlreadyPaid(() => stripe.invoices.pay(invoiceId, { off_session: true }, { idempotencyKey: key }));
      }),

    refundInvoice: (invoiceId, key) =>
      translateStripeErrors(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
        await refundPayments(stripe, invoice, key);
      }),

    payByCard: (payment) => translateStripeErrors(() => payByCard(stripe, payment)),

    findCardPayment: (payment) => translateStripeErrors(() => findCardPayment(stripe, payment)),

    cancelCardPayment: (payment) => translateStripeErrors(() => cancelCardPayment(stripe, payment)),

    refundAmount: (refund) => translateStripeErrors(() => refundAmount(stripe, refund)),

    parseWebhookEvent(body, signature, now) {
      try {
        // `constructEvent` would reject the provider's second form of events, which has no data.
        const provider = Stripe.createNodeCryptoProvider();
        const signer = stripe.webhooks.signature as NonNullable<typeof stripe.webhooks.signature>;
        signer.verifyHeader(body, signature, webhookSecret, TOLERANCE_SECONDS, provider, now.getTime());
        const event = JSON.parse(body.toString()) as Stripe.Event;
        return event.object === "event" ? toProviderEvent(event) : null;
      } catch {
        throw badInput({ body: ["The webhook signature is missing, invalid or too old."] });
      }
    },

    listEvents: (since) =>
      translateStripeErrors(async () => {
        const events: ProviderEvent[] = [];
        // The provider lists newest first, so everything has to be read before reversing.
        const query = { created: { gte: toSeconds(since) }, types: [...providerEventTypes], limit: 100 };
        for await (const event of stripe.events.list(query)) {
          events.push(toProviderEvent(event));
          if (events.length >= MAX_EVENTS) break;
        }
        return events.reverse();
      }),

    listCardMoves: (since, disputedSince) =>
      translateStripeErrors(() => listCardMoves(stripe, toSeconds(since), toSeconds(disputedSince))),

    findCustomerOfCharge: (id) =>
      translateStripeErrors(async () => getId((await stripe.charges.retrieve(id)).customer)),
  };
}

const toSeconds = (at: Date): number => Math.floor(at.getTime() / SECOND);
