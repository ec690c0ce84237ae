import type { CardMove, ProviderEvent, ProviderSubscription, ProviderPayment } from "./provider-data.ts";
import { AppError, unprocessable } from "#api/platform/errors.ts";

/**
 * The operations that the product needs from the payment provider. The only implementation is built on the `stripe`
 * package (`stripe-payments.ts`). In development and tests it talks to the payment simulator, so the same code runs
 * everywhere. Amounts are integer cents of AUD and include GST unless stated otherwise. Changes of a subscription that has
 * ended throw AppError CONFLICT unless stated otherwise.
 */
export interface Payments {
  /** Settings for collecting card details in the browser: with the provider's own fields, or with ours and the simulator. */
  readonly cardEntry: CardEntry;

  /** Creates or updates products, prices and the GST rate at the provider to match the catalogue. Idempotent. */
  syncPlans(plans: readonly SyncedPlan[]): Promise<void>;

  /** Creates a customer without a name at the provider and returns its id; for a day, the same one for a repeated call. */
  createCustomer(userId: string): Promise<string>;

  /** Sets the name and email address of a customer at the provider. */
  describeCustomer(customerId: string, details: { email: string; name: string }): Promise<void>;

  /** Removes the name, email address and cards of a customer at the provider; invoices and payments are kept. */
  anonymizeCustomer(customerId: string): Promise<void>;

  /**
   * Creates a payment method from raw card fields. The card number is sent to the provider and stored nowhere else.
   * @throws CardRefusedError if the provider rejects the number, expiry date or security code.
   */
  createCard(card: RawCard): Promise<string>;

  /**
   * Starts a subscription and charges its first period immediately. A repeated call with the same key returns the same
   * subscription and doesn't charge again.
   * @returns the subscription's id. {@link Payments.listSubscriptions} shows whether it was paid. A declined card
   * leaves an incomplete subscription, which the caller cancels.
   * @throws CardRefusedError if the card can't be saved.
   */
  startSubscription(subscription: NewSubscription): Promise<string>;

  /** Returns the current state of a customer's subscriptions at the provider, including ended ones, oldest first. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>;

  /** Returns the provider's estimate of what changing to a price at `at` would cost. */
  previewChange(change: SubscriptionChange & { at: Date }): Promise<ChangePreview>;

  /**
   * Changes to a price immediately and charges the difference previewed for `at`.
   * @throws CardRefusedError if the difference couldn't be paid. The subscription is then unchanged.
   */
  changePlanNow(change: SubscriptionChange & { at: Date; key: string }): Promise<void>;

  /**
   * Schedules a price for the next renewal, such as a new amount of the same plan. Null removes the scheduled change.
   * @throws AppError CONFLICT if the subscription has ended or, with a price, is cancelled.
   */
  changePlanAtRenewal(change: { subscriptionId: string; price: SyncedPrice | null; key: string }): Promise<void>;

  /** Schedules a subscription to end at the end of its period, unless it has already ended, or undoes that. */
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void>;

  /**
   * Pauses a subscription until a time. Nothing is charged while it is paused, and the paid time that is left follows the
   * pause. Removes a scheduled price. A repeated call with the same time changes nothing.
   * @param pause `voidsUnpaid`: voids an overdue invoice, so that the next payment is due when the pause ends.
   * @returns false if the latest invoice isn't paid yet. The subscription is unchanged then.
   */
  pauseSubscription(pause: { subscriptionId: string; until: Date; now: Date; voidsUnpaid: boolean }): Promise<boolean>;

  /** Ends a pause before its time. The paid time that is left follows. Does nothing if the subscription isn't paused. */
  endPause(pause: { subscriptionId: string; now: Date }): Promise<void>;

  /** Cancels a subscription while its first payment is incomplete. Does nothing if it was paid in the meantime. */
  cancelUnpaid(subscriptionId: string): Promise<void>;

  /** Ends a subscription immediately and voids its unpaid invoice. Does nothing if it has already ended. */
  cancelNow(subscriptionId: string): Promise<void>;

  /** Sets the GST rate of future invoices; 0 removes GST. Does nothing if the subscription has ended. */
  setGst(subscriptionId: string, gstBasisPoints: number): Promise<void>;

  /**
   * Sets up a new card for later charges, which the bank may ask the customer to authenticate.
   * @throws CardRefusedError if the bank declines.
   */
  setUpCard(card: { customerId: string; paymentMethodId: string; key: string }): Promise<CardSetup>;

  /** Returns the state of a card setup, or of what {@link Payments.payInvoice} returned, after the customer has authenticated. */
  getCardSetup(id: string): Promise<CardSetup>;

  /** Sets a prepared card as the default for a customer and for the given subscriptions. */
  setDefaultCard(card: {
    customerId: string;
    paymentMethodId: string;
    subscriptionIds: readonly string[];
  }): Promise<void>;

  /**
   * Pays an open invoice with the customer's card.
   * @param isPresent whether the customer can authenticate with the bank
   * @returns the payment that the customer must authenticate first; null if the invoice is paid.
   * @throws CardRefusedError if the card is declined, or the bank requires an absent customer to authenticate.
   */
  payInvoice(invoiceId: string, key: string, isPresent?: boolean): Promise<CardSetup | null>;

  /**
   * Charges a card without a subscription while the customer is present, once for each `paymentId`, which is our id,
   * however often and however late the call is repeated. Charges the saved card if `paymentMethodId` is null.
   * @throws CardRefusedError if the card can't be used, or there is no saved card. A declined charge isn't an error.
   */
  payByCard(payment: {
    customerId: string;
    paymentMethodId: string | null;
    amountCents: number;
    description: string;
    paymentId: string;
  }): Promise<ProviderPayment>;

  /** Returns the payment with a `paymentId`; null if no charge was attempted. */
  findCardPayment(payment: { customerId: string; paymentId: string }): Promise<ProviderPayment | null>;

  /** Cancels a payment that isn't complete. Does nothing if it was paid in the meantime. */
  cancelCardPayment(payment: { customerId: string; paymentId: string }): Promise<void>;

  /** Refunds the remaining amount of a payment. Does nothing if it has already been refunded. */
  refundInvoice(invoiceId: string, key: string): Promise<void>;

  /**
   * Refunds an amount of a payment, or of the payment of an invoice, once for each `refundId`, however often and however
   * late the call is repeated. Moves nothing if the bank took exactly this amount back in a lost dispute.
   * @returns the provider's id of the refund, or the one of the dispute as {@link CardMove} has it; null until the refund has succeeded.
   * @throws RefundRefusedError if the provider refuses; nothing was refunded then.
   */
  refundAmount(
    refund: ({ invoiceId: string } | { paymentId: string }) & { amountCents: number; refundId: string },
  ): Promise<string | null>;

  /**
   * Verifies and parses a webhook event from the provider. Returns null for an event in the provider's v2 form, which has
   * no data and can't change a payment.
   * @throws AppError BAD_USER_INPUT if it wasn't signed with our secret within the last 300 seconds.
   */
  parseWebhookEvent(body: Buffer, signature: string, now: Date): ProviderEvent | null;

  /** Returns the provider's events since `since`, oldest first, to catch up on webhooks that were never delivered. */
  listEvents(since: Date): Promise<ProviderEvent[]>;

  /** Returns what cards moved since `since`, and lost disputes since `disputedSince`, of all customers of the provider's account. */
  listCardMoves(since: Date, disputedSince: Date): Promise<CardMove[]>;

  /** Returns the customer a charge belongs to. Some events contain only the charge. */
  findCustomerOfCharge(chargeId: string): Promise<string | null>;
}

/** Settings for collecting card details in the browser. */
export interface CardEntry {
  /** `off`: card payments are off, because the payment provider isn't set up in production. */
  readonly kind: "provider" | "simulator" | "off";
  /** Empty while card payments are off. */
  readonly publishableKey: string;
}

/** A plan as it is sent to the provider. */
export interface SyncedPlan {
  readonly slug: string;
  readonly name: string;
  readonly prices: readonly SyncedPrice[];
}

/** A plan price. The provider stores its id as the lookup key, and its amount before GST. */
export interface SyncedPrice {
  readonly id: string;
  readonly planSlug: string;
  /** Name of the plan's product if it has to be created. Only {@link Payments.syncPlans} renames an existing one. */
  readonly planName: string;
  readonly interval: "monthly" | "yearly";
  /** AUD cents before GST. */
  readonly audCents: number;
}

/** Card fields accepted by the documented REST calls (docs/domain.md#provider). */
export interface RawCard {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvc: string;
}

export interface NewSubscription {
  readonly key: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly price: SyncedPrice;
  readonly gstBasisPoints: number;
  /** Discount on the first invoice, in cents before GST. */
  readonly discountCents: number;
  readonly checkoutId: string;
  readonly userId: string;
}

/** A change of a subscription's price. */
export interface SubscriptionChange {
  readonly subscriptionId: string;
  readonly price: SyncedPrice;
}

/** The estimated cost of a plan change. */
export interface ChangePreview {
  readonly amountCents: number;
  readonly gstCents: number;
  readonly totalCents: number;
  /** Amount charged to the card; less than the total if the customer has credit. */
  readonly dueCents: number;
  readonly periodEnd: Date;
}

/** A card being set up for future charges, or an invoice's payment, which the customer completes in the same way. */
export interface CardSetup {
  readonly id: string;
  readonly customerId: string | null;
  /** The card to use from now on; null for a payment. */
  readonly paymentMethodId: string | null;
  readonly state: "ready" | "needs_authentication" | "refused";
  readonly clientSecret: string | null;
  readonly message: string | null;
}

/** Thrown when a card is refused and nothing was charged. `message` is shown to the customer. */
export class CardRefusedError extends Error {
  override readonly name = "CardRefusedError";

  constructor(
    message: string,
    /** The card field that is wrong; `card` if the bank refused the card as a whole. */
    readonly field: "cardNumber" | "expiryDate" | "cvc" | "card" = "card",
  ) {
    super(message);
  }
}

/** Thrown when the provider refuses a refund, for example because the payment is disputed. `message` is for staff. */
export class RefundRefusedError extends Error {
  override readonly name = "RefundRefusedError";
}

/** Returns the error for everything that needs the payment provider while card payments are off. */
function buildPaymentsOffError(): AppError {
  return unprocessable("Card payments are switched off. Write to us to pay by bank transfer.");
}

/**
 * Checks that the payment provider can be called. Call it before writing a row that a later call would finish.
 * @throws AppError UNPROCESSABLE while card payments are off
 */
export function assertPaymentsOn({ cardEntry }: Payments): void {
  if (cardEntry.kind === "off") throw buildPaymentsOffError();
}

/**
 * Creates the payments of a production process without STRIPE_SECRET_KEY. Nothing is read from a provider, and every call
 * that would need one throws AppError UNPROCESSABLE with a message for the customer.
 */
export function createPaymentsOff(): Payments {
  const available: Pick<Payments, "cardEntry" | "listEvents"> = {
    cardEntry: { kind: "off", publishableKey: "" },
    listEvents: async () => [],
  };
  return new Proxy(available, {
    get: (target, name) =>
      Object.hasOwn(target, name)
        ? target[name as keyof typeof target]
        : () => {
            throw buildPaymentsOffError();
          },
  }) as Payments;
}
