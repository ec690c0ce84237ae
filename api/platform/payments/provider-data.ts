/** A subscription as the provider reports it. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  /** `incomplete`: the first payment hasn't succeeded. `ended` is final. */
  readonly status: "incomplete" | "active" | "past_due" | "ended";
  /** Id of the plan price. */
  readonly priceId: string;
  /** Charge per period, in cents before GST. It stays the same if the plan's price changes later. */
  readonly amountCents: number;
  readonly startedAt: Date;
  readonly periodEnd: Date;
  readonly endedAt: Date | null;
  readonly isCancelledAtPeriodEnd: boolean;
  /** Time at which a pause ends; null if the subscription isn't paused. */
  readonly pausedUntil: Date | null;
  /** End of the paid time that a pause moved; null if no pause moved it. */
  readonly movedUntil: Date | null;
  /** Price from the next renewal, if a change is scheduled. */
  readonly nextPriceId: string | null;
  /** Charge per period from the next renewal, in cents before GST, if a change of plan or price is scheduled. */
  readonly nextAmountCents: number | null;
  readonly gstBasisPoints: number;
  readonly card: ProviderCard | null;
  readonly checkoutId: string | null;
  readonly userId: string | null;
  /** Oldest first. */
  readonly invoices: readonly ProviderInvoice[];
  /** State of the first payment; null once it has succeeded. */
  readonly firstPayment: FirstPayment | null;
}

/** A first payment that hasn't succeeded yet. */
export interface FirstPayment {
  readonly state: "needs_authentication" | "declined" | "processing";
  readonly clientSecret: string | null;
  readonly message: string | null;
}

/** Card details that are safe to show. */
export interface ProviderCard {
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** An invoice as the provider reports it. Amounts in cents; lines are before discount and GST. */
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
  /** Attempts to charge it, oldest first. */
  readonly attempts: readonly ProviderAttempt[];
  /** Time of the provider's next attempt to charge an open invoice; null if none is scheduled. */
  readonly nextAttemptAt: Date | null;
  readonly refunds: readonly ProviderRefund[];
  /** Choice of staff about the licence after the latest refund. The sync sets it; it isn't the provider's. */
  readonly licenceAfterRefund?: "keep" | "end" | undefined;
  readonly dispute: "none" | "open" | "won" | "lost";
}

/** An invoice line, in cents before discount and GST; negative when a change credits unused time. */
export interface ProviderInvoiceLine {
  /** Id of the plan price; null if the line isn't for a plan price. */
  readonly priceId: string | null;
  readonly amountCents: number;
  readonly periodStart: Date;
  readonly periodEnd: Date;
}

/** An attempt to charge a card. `reason` says in words why the bank refused it; null if it succeeded. */
export interface ProviderAttempt {
  readonly id: string;
  readonly at: Date;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly reason: string | null;
  readonly card: ProviderCard | null;
}

/** A refund of part or all of a payment. */
export interface ProviderRefund {
  readonly id: string;
  /** Our id from `Payments.refundAmount`; null for other refunds, such as one made in the provider's dashboard. */
  readonly refundId: string | null;
  readonly amountCents: number;
  readonly createdAt: Date;
}

/**
 * Types of events that can change our records. The webhook at the provider receives them, and missed ones are fetched
 * (docs/operations.md#connect-the-payment-provider).
 */
export const providerEventTypes = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.pending_update_applied",
  "customer.subscription.pending_update_expired",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.voided",
  "invoice.marked_uncollectible",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
] as const;

/** A webhook event. It only says that something changed, so the objects are read again (docs/domain.md#provider). */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly customerId: string | null;
  readonly chargeId: string | null;
}

/** Returns the id of what the bank took back of a charge in a lost dispute, as {@link CardMove} and adjustment notes have it. */
export const getDisputeId = (chargeId: string | null): string => `dispute-${chargeId}`;

/** Returns whether the id of a refund is one of {@link getDisputeId}. */
export const isDisputeId = (refundId: string | null): boolean => refundId?.startsWith(getDisputeId("")) === true;

/** Money that a card moved: a charge, or in negative cents a refund or what the bank took back in a lost dispute. */
export interface CardMove {
  /** Id of the charge or refund, or {@link getDisputeId}. */
  readonly id: string;
  readonly chargeId: string | null;
  /** The provider's id of the payment that was charged. */
  readonly paymentId: string | null;
  /** Null for a refund and a dispute. */
  readonly customerId: string | null;
  readonly cents: number;
  readonly at: Date;
  /** Whether the charge has been refunded in full. */
  readonly isRefunded: boolean;
}

/** A single charge of a card. `id` is the provider's. */
export interface ProviderPayment {
  readonly id: string;
  readonly state: "paid" | "needs_authentication" | "declined" | "processing" | "cancelled";
  readonly amountCents: number;
  /** Secret for the bank's authentication, if it is needed. */
  readonly clientSecret: string | null;
  /** Reason for a decline, for the customer. */
  readonly message: string | null;
  /** The bank's reason for a decline in words, as in {@link ProviderAttempt}. */
  readonly reason: string | null;
  readonly card: ProviderCard | null;
  readonly paidAt: Date | null;
}
