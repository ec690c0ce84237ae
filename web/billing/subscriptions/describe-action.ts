import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type {
  BillingSubscriptionStatus,
  SubscriptionActionKind,
  SubscriptionActionPreviewQuery,
} from "#web/generated/graphql.ts";

type Preview = SubscriptionActionPreviewQuery["subscriptionActionPreview"];

/** Says what an action on a subscription with a status will do, one sentence for each effect. */
export function describeAction(
  kind: SubscriptionActionKind,
  preview: Preview,
  status: BillingSubscriptionStatus,
): readonly string[] {
  return texts[kind](preview, status);
}

const emailed = "The customer receives an email.";
const formatDate = (moment: string | null) => (moment ? formatSellerDate(moment) : "");
const renews = ({ renewsAt }: Preview) =>
  `The subscription renews on ${formatDate(renewsAt)}, and the card is charged then.`;

const texts: Readonly<
  Record<SubscriptionActionKind, (preview: Preview, status: BillingSubscriptionStatus) => readonly string[]>
> = {
  RETRY_PAYMENT: ({ amountCents, cardLast4 }) => [
    `${amountCents === null ? "The overdue amount" : formatAud(amountCents)} is charged to the card${cardLast4 ? ` ending ${cardLast4}` : ""} now.`,
    "If the bank accepts it, the licence continues and the customer receives a tax invoice.",
    "If the bank declines it, nothing is charged, and the planned retries stay.",
  ],
  CANCEL_NOW: () => [
    "The subscription ends now, and the card isn't charged again. An overdue payment is no longer due.",
    "The licence ends now, on all devices.",
    "Nothing is refunded. To return money, refund the payment.",
    emailed,
  ],
  CANCEL_AT_PERIOD_END: ({ endsAt, licenceUntil }) => [
    licenceUntil
      ? `The subscription runs until ${formatDate(endsAt)}, and the extended licence until ${formatDate(licenceUntil)}. The card isn't charged again.`
      : `The subscription and the licence run until ${formatDate(endsAt)}. The card isn't charged again.`,
    `Nothing is refunded. The subscription can be resumed until ${licenceUntil ? formatDate(endsAt) : "then"}.`,
    emailed,
  ],
  RESUME: (preview) => [renews(preview), "Nothing is charged now.", emailed],
  EXTEND_LICENCE: ({ licenceUntil, licenceExpiresAt }) => [
    `The licence runs until ${formatDate(licenceUntil)} instead of ${formatDate(licenceExpiresAt)}, whether or not it is paid.`,
    "Nothing is charged, and the dates of the next payments stay the same.",
  ],
  PAUSE: ({ pauseUntil, renewsAt }, status) => [
    `The licence can't be used until ${formatDate(pauseUntil)}. It is valid again from then on.`,
    status === "PAST_DUE"
      ? "The overdue payment is cancelled and not retried."
      : "The paid time that is left continues after the pause.",
    `Nothing is charged until ${formatDate(renewsAt)}, when the next payment is due.`,
    "The customer receives an email and can resume earlier.",
  ],
  END_PAUSE: (preview) => [
    "The licence is valid again now.",
    preview.endsAt ? `The subscription is cancelled and ends on ${formatDate(preview.endsAt)}.` : renews(preview),
    emailed,
  ],
};
