import { labelOf, licenceTypes, productLevels } from "#schema/catalogue.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";

/**
 * What the events say (docs/webhooks.md): ids and what the customer sees in the portal. Never a licence code, a token, a
 * card or anything of a person but the id. Fields are only ever added.
 */
export interface WebhookData {
  "licence.issued": { userId: string; licence: LicenceData };
  "licence.activated": {
    userId: string;
    licence: Pick<LicenceData, "id" | "productLevel" | "productLevelName">;
    device: { id: string; machineName: string; activatedAt: Date };
  };
  "licence.revoked": { userId: string; licence: LicenceData; reason: RevocationReason; revokedAt: Date };
  "subscription.changed": { userId: string; changes: SubscriptionHappening[]; subscription: SubscriptionData };
  "invoice.paid": { userId: string; invoice: InvoiceData };
}

/** Why a licence was revoked: by staff, its payment was given back, another took its place, or the account is deleted. */
export type RevocationReason = "deactivated" | "payment-returned" | "replaced" | "account-deleted";

/** What may happen to a subscription; several at once. */
export type SubscriptionHappening =
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
  | "ended";

interface LicenceData {
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

interface SubscriptionData {
  id: string;
  licenceId: string;
  /** Price id of the catalogue. */
  priceId: string;
  nextPriceId: string | null;
  status: "active" | "past_due" | "cancelled";
  isCancelledAtPeriodEnd: boolean;
  startedAt: Date;
  currentPeriodEndsAt: Date;
  paidUntil: Date | null;
  endedAt: Date | null;
}

interface InvoiceData {
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

/** What is said of a licence: its support code names it, its code stays with its owner. */
export function licenceData(licence: Licence): LicenceData {
  const { id, supportCode, productLevel, licenceType, numberOfUsers, numberOfMachines, createdAt, expiresAt } = licence;
  return {
    id,
    supportCode,
    productLevel,
    productLevelName: labelOf(productLevels, productLevel),
    licenceType,
    licenceTypeName: labelOf(licenceTypes, licenceType),
    numberOfUsers,
    numberOfMachines,
    createdAt,
    expiresAt,
  };
}

/** What is said of a device that was activated. */
export function activationData(
  { userId, licenceId, productLevel }: { userId: string; licenceId: string; productLevel: number },
  { id, machineName, activatedAt }: Device,
): WebhookData["licence.activated"] {
  return {
    userId,
    licence: { id: licenceId, productLevel, productLevelName: labelOf(productLevels, productLevel) },
    device: { id, machineName, activatedAt },
  };
}

/** What is said of a subscription. */
export function subscriptionData(subscription: Subscription): SubscriptionData {
  const { id, planPrice, nextPlanPrice, status, isCancelledAtPeriodEnd } = subscription;
  const { licence, startedAt, currentPeriodEndsAt, paidUntil, endedAt } = subscription;
  return {
    id,
    licenceId: licence.id,
    priceId: planPrice,
    nextPriceId: nextPlanPrice,
    status,
    isCancelledAtPeriodEnd,
    startedAt,
    currentPeriodEndsAt,
    paidUntil,
    endedAt,
  };
}

/** What is said of a tax invoice: not who pays, nor by which card. */
export function invoiceData(invoice: TaxInvoice): InvoiceData {
  const { id, number, description, amountCents, discountCents, gstCents, totalCents } = invoice;
  const { planPrice, periodStart, periodEnd, paidAt } = invoice;
  return {
    id,
    number,
    description,
    currency: "AUD",
    amountCents,
    discountCents,
    gstCents,
    totalCents,
    priceId: planPrice,
    periodStart,
    periodEnd,
    paidAt,
  };
}
