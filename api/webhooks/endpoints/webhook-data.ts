/**
 * Payloads by event type (docs/webhooks.md). They consist of ids and data that the customer sees in the portal, and
 * never contain licence codes, tokens, card data or personal data other than ids. Fields may be added, never removed.
 */
export interface WebhookData {
  "licence.issued": { userId: string; licence: LicenceData };
  "licence.activated": {
    userId: string;
    licence: Pick<LicenceData, "id" | "productLevel" | "productLevelName">;
    device: { id: string; machineName: string; activatedAt: Date };
  };
  "licence.revoked": { userId: string; licence: LicenceData; reason: RevocationReason; revokedAt: Date };
  "licence.reinstated": { userId: string; licence: LicenceData; reinstatedAt: Date };
  "subscription.changed": { userId: string; changes: SubscriptionChange[]; subscription: SubscriptionData };
  "invoice.paid": { userId: string; invoice: InvoiceData };
  "security-event.created": { userId: string | null; securityEvent: SecurityEventData };
}

/**
 * Reason a licence was revoked: by staff, because its payment was returned, by a replacement, or because its account
 * was deleted.
 */
export type RevocationReason = "deactivated" | "payment-returned" | "replaced" | "account-deleted";

/** A change to a subscription. One event may list several. */
export type SubscriptionChange =
  | "begun"
  | "plan-changed"
  | "plan-change-planned"
  | "plan-change-withdrawn"
  | "renewed"
  | "payment-failed"
  | "payment-recovered"
  | "payment-disputed"
  | "dispute-closed"
  | "cancelled"
  | "resumed"
  | "paused"
  | "pause-ended"
  | "ended";

export interface LicenceData {
  id: string;
  supportCode: string;
  productLevel: number;
  productLevelName: string;
  licenceType: number;
  licenceTypeName: string;
  numberOfUsers: number;
  numberOfMachines: number;
  createdAt: Date;
  expiresAt: Date;
}

export interface SubscriptionData {
  id: string;
  licenceId: string;
  /** Price id in the catalogue. */
  priceId: string;
  nextPriceId: string | null;
  status: "active" | "past_due" | "cancelled";
  isCancelledAtPeriodEnd: boolean;
  /** Time at which a pause ends; null if the subscription isn't paused. */
  pausedUntil: Date | null;
  startedAt: Date;
  currentPeriodEndsAt: Date;
  paidUntil: Date | null;
  endedAt: Date | null;
}

export interface InvoiceData {
  id: string;
  number: string;
  description: string;
  currency: "AUD";
  amountCents: number;
  discountCents: number;
  gstCents: number;
  totalCents: number;
  priceId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  paidAt: Date | null;
}

/** A security event, as on its page and in `securityEvents`. */
export interface SecurityEventData {
  id: string;
  type: string;
  at: Date;
  actorId: string | null;
  address: string;
  count: number;
  detail: Readonly<Record<string, unknown>>;
}
