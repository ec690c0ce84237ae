/**
 * What the product asks of the payment provider, in the product's words. One implementation stands on the
 * `stripe` package (`stripe-payments.ts`); in development and tests it talks to the payment simulator, so
 * that every line of it runs there too. Amounts are integer cents of AUD, GST included unless said otherwise.
 */
export interface Payments {
  /** What the browser needs to take a card: the provider's own fields, or ours talking to the simulator. */
  readonly cardEntry: CardEntry;

  /** Brings products, prices and the GST rate at the provider to the catalogue; doing it twice changes nothing. */
  syncPlans(plans: readonly SyncedPlan[]): Promise<void>;

  /** The customer at the provider; `key` makes a repeated call the same customer. */
  createCustomer(asked: { userId: string; email: string; name: string; key: string }): Promise<string>;

  /** Removes the name, the email address and the cards of a customer at the provider; invoices and payments stay. */
  anonymizeCustomer(customerId: string): Promise<void>;

  /**
   * A payment method from raw card fields. The number goes to the provider and nowhere else.
   * @throws CardRefused for a number, date or code the provider does not accept.
   */
  createCard(card: RawCard): Promise<string>;

  /**
   * Starts a subscription and charges its first period at once. A repeated call with the same key is the same
   * subscription and the same charge.
   * @returns its id; whether it was paid, {@link Payments.listSubscriptions} says. A declined card leaves an
   * incomplete subscription, to be cancelled.
   * @throws CardRefused when the card cannot be kept at all.
   */
  startSubscription(asked: NewSubscription): Promise<string>;

  /** A customer's subscriptions as the provider has them now, ended ones included, oldest first. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>;

  /** What changing to a price at `at` would be charged, as the provider reckons it. */
  previewChange(change: SubscriptionChange & { at: Date }): Promise<ChangePreview>;

  /**
   * Changes to a price now and charges the difference as previewed for `at`.
   * @throws CardRefused when the difference could not be paid; nothing is changed then.
   */
  changeNow(change: SubscriptionChange & { at: Date; key: string }): Promise<void>;

  /** Changes to a price at the next renewal, or, with null, takes such a plan back. */
  changeAtRenewal(change: { subscriptionId: string; price: SyncedPrice | null; key: string }): Promise<void>;

  /** Ends a subscription at its period's end, or takes that back. */
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void>;

  /** Withdraws a subscription whose first payment is not through; one that was paid meanwhile stays as it is. */
  withdrawUnpaid(subscriptionId: string): Promise<void>;

  /** Ends a subscription at once; what is still to be paid is withdrawn. Ended ones stay as they are. */
  cancelNow(subscriptionId: string): Promise<void>;

  /** Charges future invoices with GST or without. */
  setGst(subscriptionId: string, gstBasisPoints: number): Promise<void>;

  /**
   * Asks the bank to let a new card be charged later.
   * @throws CardRefused when it will not.
   */
  prepareCard(asked: { customerId: string; paymentMethodId: string; key: string }): Promise<CardPreparation>;

  /** How a preparation stands, once the customer has been to the bank. */
  readCardPreparation(id: string): Promise<CardPreparation>;

  /** Makes a prepared card the one that a customer's subscriptions are charged to. */
  useCard(asked: { customerId: string; paymentMethodId: string; subscriptionIds: readonly string[] }): Promise<void>;

  /**
   * Pays an open invoice with the customer's card.
   * @throws CardRefused when it is declined.
   */
  payInvoice(invoiceId: string, key: string): Promise<void>;

  /** Refunds what is left of a payment; does nothing if it is already refunded. */
  refundInvoice(invoiceId: string, key: string): Promise<void>;

  /**
   * Reads a notice of the provider.
   * @throws AppError BAD_USER_INPUT when it was not signed with our secret in the last 300 seconds.
   */
  readNotice(body: Buffer, signature: string, now: Date): ProviderNotice;

  /** Notices from `since` on, oldest first; for those that got lost on the way. */
  listNotices(since: Date): Promise<ProviderNotice[]>;

  /** The customer whom a charge belongs to, for notices that name only the charge. */
  customerOfCharge(chargeId: string): Promise<string | null>;
}

/** How the browser takes a card. */
export type CardEntry =
  | { readonly kind: "provider"; readonly publishableKey: string }
  | { readonly kind: "simulator"; readonly publishableKey: string };

/** A plan as the provider is told of it. */
export interface SyncedPlan {
  readonly slug: string;
  readonly name: string;
  readonly prices: readonly SyncedPrice[];
}

/** A plan price: the provider keeps its id as the look-up key and its amount before GST. */
export interface SyncedPrice {
  readonly id: string;
  readonly planSlug: string;
  readonly interval: "monthly" | "yearly";
  /** AUD cents before GST. */
  readonly audCents: number;
}

/** Card fields as the documented REST calls may carry them (docs/domain.md#provider). */
export interface RawCard {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvc: string;
}

/** A subscription to be started. */
export interface NewSubscription {
  readonly key: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly price: SyncedPrice;
  readonly gstBasisPoints: number;
  /** Off the first invoice, cents before GST. */
  readonly discountCents: number;
  readonly checkoutId: string;
  readonly userId: string;
}

/** A change of a subscription's price. */
export interface SubscriptionChange {
  readonly subscriptionId: string;
  readonly price: SyncedPrice;
}

/** What a change costs. */
export interface ChangePreview {
  readonly amountCents: number;
  readonly gstCents: number;
  readonly totalCents: number;
  /** What the card will be charged; less than the total when the customer has a credit. */
  readonly dueCents: number;
  readonly periodEnd: Date;
}

/** A card being made ready for charges to come. */
export interface CardPreparation {
  readonly id: string;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly state: "ready" | "needs_authentication" | "refused";
  readonly clientSecret: string | null;
  readonly message: string | null;
}

/** What the provider says of a subscription. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  /** `incomplete`: its first payment has not come through; `ended` is final. */
  readonly status: "incomplete" | "active" | "past_due" | "ended";
  /** The plan price's id. */
  readonly priceId: string;
  /** What it is charged a period, cents before GST: of the day it was bought, whatever the plan costs by now. */
  readonly amountCents: number;
  readonly startedAt: Date;
  readonly periodEnd: Date;
  readonly endedAt: Date | null;
  readonly isCancelledAtPeriodEnd: boolean;
  /** The price it will have from the next renewal, when that was planned. */
  readonly nextPriceId: string | null;
  readonly gstBasisPoints: number;
  readonly card: ProviderCard | null;
  readonly checkoutId: string | null;
  readonly userId: string | null;
  /** Oldest first. */
  readonly invoices: readonly ProviderInvoice[];
  /** What the first payment waits for; null once it is through. */
  readonly firstPayment: FirstPayment | null;
}

/** A first payment that is not through. */
export interface FirstPayment {
  readonly state: "needs_authentication" | "declined" | "processing";
  readonly clientSecret: string | null;
  readonly message: string | null;
}

/** What a receipt may say of a card. */
export interface ProviderCard {
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** What the provider says of an invoice. Amounts in cents; lines are before discount and GST. */
export interface ProviderInvoice {
  readonly id: string;
  readonly status: "draft" | "open" | "paid" | "void" | "uncollectible";
  readonly reason: "start" | "change" | "renewal" | "other";
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  readonly lines: readonly ProviderInvoiceLine[];
  readonly discountCents: number;
  readonly gstCents: number;
  readonly totalCents: number;
  readonly dueCents: number;
  readonly card: ProviderCard | null;
  readonly chargeId: string | null;
  readonly refunds: readonly ProviderRefund[];
  readonly dispute: "none" | "open" | "won" | "lost";
}

/** A line of an invoice, cents before discount and GST; negative for time given back in a change. */
export interface ProviderInvoiceLine {
  /** The plan price's id; null for a line that is not for one. */
  readonly priceId: string | null;
  readonly description: string;
  readonly amountCents: number;
  readonly periodStart: Date;
  readonly periodEnd: Date;
}

/** Money given back. */
export interface ProviderRefund {
  readonly id: string;
  readonly amountCents: number;
  readonly createdAt: Date;
}

/** A hint that something happened: what it was must be read again (docs/domain.md#provider). */
export interface ProviderNotice {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly customerId: string | null;
  readonly chargeId: string | null;
}

/** The card was not accepted; `message` is for the customer. Nothing was charged. */
export class CardRefused extends Error {
  /** Which of the card's fields is wrong; `card` when the bank refused it as a whole. */
  readonly field: "cardNumber" | "expiryDate" | "cvc" | "card";
  /** The bank wants the customer to confirm, which this way of paying has no place for. */
  readonly needsAuthentication: boolean;

  constructor(message: string, field: CardRefused["field"] = "card", needsAuthentication = false) {
    super(message);
    this.name = "CardRefused";
    this.field = field;
    this.needsAuthentication = needsAuthentication;
  }
}
