import { formatDay, formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import type { RefundPreviewQuery } from "#web/generated/graphql.ts";

type RefundPreview = RefundPreviewQuery["refundPreview"];

/**
 * Says what a refund will do, one sentence for each effect.
 * @param isUnusedTime whether the days after today are refunded
 */
export function describeRefund(preview: RefundPreview, invoiceNumber: string, isUnusedTime: boolean): string[] {
  const { amountCents, gstCents, isToCard, cardLast4, unused } = preview;
  const card = cardLast4 ? ` ending ${cardLast4}` : "";
  return [
    ...(isUnusedTime && unused
      ? [
          `Used until today: ${unused.daysUsed} of ${unused.daysUsed + unused.daysLeft} days of invoice ${invoiceNumber}. The rest until ${formatDay(unused.lastDay)} is refunded: ${formatCount(unused.daysLeft, "day")}.`,
        ]
      : []),
    isToCard
      ? `${formatAud(amountCents)} goes back to the card${card}, usually within 5 to 10 business days.`
      : `A refund of ${formatAud(amountCents)} is recorded. Pay it to the customer yourself.`,
    ...(isUnusedTime && isToCard && unused && unused.amountCents > amountCents
      ? [
          `${formatAud(unused.amountCents - amountCents)} of the unused time wasn't paid by card. Refund this amount separately.`,
        ]
      : []),
    `The customer receives an adjustment note for invoice ${invoiceNumber}: ${formatAud(amountCents)}, including ${formatAud(gstCents)} GST.`,
    preview.hasSubscription ? describeSubscription(preview) : describeLicence(preview),
  ];
}

function describeLicence({ licence, supportCode }: RefundPreview): string {
  if (!supportCode) return "No licence changes.";
  return licence === "END_NOW"
    ? `The licence ${supportCode} ends now, on all devices. A customer with a confirmed address is notified by email.`
    : `The licence ${supportCode} keeps its end date, even if this invoice extended it.`;
}

function describeSubscription({ licence, renewsAt, endsAt }: RefundPreview): string {
  if (licence === "END_NOW")
    return `The licence ends now, on all devices.${endsAt ? " The subscription ends without further charges." : ""}`;
  if (renewsAt)
    return `The licence stays valid. The subscription renews on ${formatSellerDate(renewsAt)} and is charged then.`;
  if (!endsAt) return "The licence stays as it is. The subscription has already ended.";
  const end = formatSellerDate(endsAt);
  return licence === "KEEP"
    ? `The licence stays valid until ${end}, when the cancelled subscription ends.`
    : `The subscription is cancelled without further charges. The licence runs until ${end}.`;
}
