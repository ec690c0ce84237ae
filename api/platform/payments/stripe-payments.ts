import Stripe from "stripe";
import { toEpochSeconds } from "#api/platform/clock.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import {
  anonymizeStripeCustomer,
  startStripeSubscription,
  buildPhasesWithTaxRates,
  payInvoice,
  refundInvoice,
  voidLatestInvoice,
} from "./stripe-operations.ts";
import type { CardEntry, Payments } from "./payments.ts";
import { type ProviderEvent, providerEventTypes } from "./provider-data.ts";
import { createStripeCatalogue } from "./stripe-catalogue.ts";
import { ignoreCode, rejectUnusableCard, translateErrors } from "./stripe-errors.ts";
import { getId, sumAmounts, toCardSetup, toDate, toPaymentSetup, toProviderEvent } from "./stripe-objects.ts";
import {
  cancelAtPeriodEnd,
  getActiveSchedule,
  type Loaded,
  releaseSchedule,
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

  /**
   * Changes a subscription. If the provider refuses, loads it again and tries once more, because another request may have
   * changed or ended it in the meantime.
   */
  const change = async <Result>(
    subscriptionId: string,
    apply: (loaded: Loaded) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await apply(await loadWithItem(subscriptionId));
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return apply(await loadWithItem(subscriptionId));
    }
  };

  /** Changes a subscription as {@link change} does. @throws AppError CONFLICT if it has ended */
  const changeRunning = <Result>(subscriptionId: string, apply: (loaded: Loaded) => Promise<Result>) =>
    change(subscriptionId, async (loaded) => {
      if (hasEnded(loaded)) throw conflict("This subscription has already ended.");
      return apply(loaded);
    });

  /** Cancels a subscription. Does nothing if another request, or an attempt without a response, cancelled it already. */
  const cancel = (subscriptionId: string) =>
    ignoreCode("resource_missing", () => stripe.subscriptions.cancel(subscriptionId));

  return {
    cardEntry,

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

    ...translateErrors<Omit<Payments, "cardEntry" | "parseWebhookEvent">>({
      syncPlans: (plans) => catalogue.sync(plans),

      createCustomer: async (userId) =>
        (await stripe.customers.create({ metadata: { userId } }, { idempotencyKey: `new-customer-${userId}` })).id,

      async describeCustomer(customerId, details) {
        await stripe.customers.update(customerId, details);
      },

      anonymizeCustomer: (customerId) => anonymizeStripeCustomer(stripe, customerId),

      async createCard({ number, expiryMonth, expiryYear, cvc }) {
        const card = { number, exp_month: expiryMonth, exp_year: expiryYear, cvc };
        return (await stripe.paymentMethods.create({ type: "card", card })).id;
      },

      startSubscription: (values) => startStripeSubscription(stripe, catalogue, values),

      listSubscriptions: (customerId) => readSubscriptions(stripe, catalogue, customerId),

      async previewChange({ subscriptionId, price, at }) {
        const id = await catalogue.getPriceId(price);
        const preview = await changeRunning(subscriptionId, ({ item }) =>
          stripe.invoices.createPreview({
            subscription: subscriptionId,
            subscription_details: {
              items: [{ id: item.id, price: id }],
              proration_behavior: "always_invoice",
              proration_date: toEpochSeconds(at),
            },
          }),
        );
        const gstCents = sumAmounts(preview.total_taxes);
        return {
          amountCents: preview.total - gstCents,
          gstCents,
          totalCents: preview.total,
          dueCents: preview.amount_due,
          periodEnd: toDate(Math.max(...preview.lines.data.map((line) => line.period.end))),
        };
      },

      async changePlanNow({ subscriptionId, price, at, key }) {
        const id = await catalogue.getPriceId(price);
        await changeRunning(subscriptionId, async ({ subscription, item }) => {
          // This is a retry after the response to a successful call was lost.
          if (item.price.id === id) return;
          await releaseSchedule(stripe, subscription);
          await stripe.subscriptions.update(
            subscriptionId,
            {
              items: [{ id: item.id, price: id }],
              proration_behavior: "always_invoice",
              proration_date: toEpochSeconds(at),
              payment_behavior: "error_if_incomplete",
              // The card was set up for off-session charges. If the bank still requires authentication, the change fails.
              off_session: true,
            },
            { idempotencyKey: key },
          );
        });
      },

      changePlanAtRenewal: ({ subscriptionId, price, key }) =>
        changeRunning(subscriptionId, async ({ subscription, item }) => {
          if (!price) return releaseSchedule(stripe, subscription);
          // Cancelled by another request, which a schedule would undo.
          if (subscription.cancel_at_period_end)
            throw conflict("This subscription is cancelled. Resume it before you change it.");
          // Another amount of the same plan isn't a change of plan.
          const isSamePlan = item.price.nickname === price.id;
          const metadata = { ...(isSamePlan ? {} : { priceId: price.id }), audCents: String(price.audCents) };
          const next = { price: await catalogue.getPriceId(price), metadata, key };
          await scheduleNextPhase(stripe, { subscription, item }, next);
        }),

      setCancelAtPeriodEnd: (subscriptionId, isCancelled) =>
        isCancelled
          ? change(subscriptionId, async (loaded) => {
              if (!hasEnded(loaded)) await cancelAtPeriodEnd(stripe, loaded.subscription);
            })
          : changeRunning(subscriptionId, (loaded) => resumeWithPlannedChange(stripe, loaded)),

      pauseSubscription: (pause) =>
        changeRunning(pause.subscriptionId, (loaded) => pauseSubscription(stripe, loaded, pause)),

      endPause: ({ subscriptionId, now }) => changeRunning(subscriptionId, (loaded) => endPause(stripe, loaded, now)),

      async cancelUnpaid(subscriptionId) {
        const { subscription } = await loadWithItem(subscriptionId);
        // Void the invoice first so that a late bank approval can't pay it.
        if (subscription.status === "incomplete" && (await voidLatestInvoice(stripe, subscription)))
          await cancel(subscriptionId);
      },

      async cancelNow(subscriptionId) {
        const { subscription } = await loadWithItem(subscriptionId);
        await voidLatestInvoice(stripe, subscription);
        if (hasEnded({ subscription })) return;
        await releaseSchedule(stripe, subscription);
        await cancel(subscriptionId);
      },

      async setGst(subscriptionId, gstBasisPoints) {
        const rate = await catalogue.getTaxRateId(gstBasisPoints);
        const rates = rate ? [rate] : [];
        await change(subscriptionId, async ({ subscription }) => {
          if (hasEnded({ subscription })) return;
          const schedule = getActiveSchedule(subscription);
          // Update the schedule first. If it fails, the subscription still has the old rate and this is retried.
          if (schedule)
            await stripe.subscriptionSchedules.update(schedule.id, {
              proration_behavior: "none",
              phases: buildPhasesWithTaxRates(schedule, rates),
            });
          await stripe.subscriptions.update(subscriptionId, { default_tax_rates: rate ? rates : "" });
        });
      },

      async setUpCard({ customerId, paymentMethodId, key }) {
        const intent = {
          customer: customerId,
          payment_method: paymentMethodId,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          confirm: true,
          usage: "off_session",
        } as const;
        return toCardSetup(await rejectUnusableCard(() => stripe.setupIntents.create(intent, { idempotencyKey: key })));
      },

      getCardSetup: async (id) =>
        id.startsWith("pi_")
          ? toPaymentSetup(await stripe.paymentIntents.retrieve(id))
          : toCardSetup(await stripe.setupIntents.retrieve(id)),

      async setDefaultCard({ customerId, paymentMethodId, subscriptionIds }) {
        await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } });
        for (const id of subscriptionIds)
          await changeRunning(id, () => stripe.subscriptions.update(id, { default_payment_method: paymentMethodId }));
      },

      payInvoice: (invoiceId, key, isPresent = false) => payInvoice(stripe, invoiceId, key, isPresent),

      refundInvoice: (invoiceId, key) => refundInvoice(stripe, invoiceId, key),

      payByCard: (payment) => payByCard(stripe, payment),

      findCardPayment: (payment) => findCardPayment(stripe, payment),

      cancelCardPayment: (payment) => cancelCardPayment(stripe, payment),

      refundAmount: (refund) => refundAmount(stripe, refund),

      async listEvents(since) {
        const events: ProviderEvent[] = [];
        // The provider lists newest first, so everything has to be read before reversing.
        const query = { created: { gte: toEpochSeconds(since) }, types: [...providerEventTypes], limit: 100 };
        for await (const event of stripe.events.list(query)) {
          events.push(toProviderEvent(event));
          if (events.length >= MAX_EVENTS) break;
        }
        return events.reverse();
      },

      listCardMoves: (since, disputedSince) =>
        listCardMoves(stripe, toEpochSeconds(since), toEpochSeconds(disputedSince)),

      findCustomerOfCharge: async (id) => getId((await stripe.charges.retrieve(id)).customer),
    }),
  };
}

function hasEnded({ subscription }: Pick<Loaded, "subscription">): boolean {
  return ["canceled", "incomplete_expired"].includes(subscription.status);
}
