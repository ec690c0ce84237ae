import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { Button, defineEmail, describeNextPayment, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

export interface SubscriptionPausedData {
  readonly plan: string;
  readonly until: Date;
  /** End of the paid time after the pause. */
  readonly paidUntil: Date;
  /** Amount of the next payment in cents, including GST; null if there is none. */
  readonly nextCents: number | null;
  /** True if the subscription is cancelled, so that it ends after the pause. */
  readonly isEnding: boolean;
  /** True if the pause cancelled an overdue payment. */
  readonly wasOverdue: boolean;
}

/** Says what becomes of the paid time. None is left if the next payment is due on the day on which the pause ends. */
function describePaidTime({ until, paidUntil, wasOverdue }: SubscriptionPausedData): string {
  if (wasOverdue) return "The overdue payment was cancelled. ";
  const isLeft = formatSellerDate(paidUntil) !== formatSellerDate(until);
  return isLeft ? "The time you paid for continues after the pause. " : "";
}

/** Confirms that a subscription is paused. */
export const subscriptionPaused = defineEmail<SubscriptionPausedData>({
  name: "subscription-paused",
  sample: ({ at }) => ({
    plan: "Professional",
    until: at,
    paidUntil: addMilliseconds(at, 9 * DAY),
    nextCents: 16_495,
    isEnding: false,
    wasOverdue: false,
  }),
  subject: ({ until }) => `Your ${brand.productName} subscription is paused until ${formatSellerDate(until)}`,
  preview: () => "Nothing is charged while it is paused.",
  because: `your subscription at ${brand.name} was paused.`,
  heading: () => "Your subscription is paused",
  body: (data, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {data.plan} subscription is paused until {formatSellerDate(data.until)}. Your card
        isn't charged and your licence can't be used until then. Both resume on that day without any action from you.
      </Paragraph>
      <Paragraph>
        {describePaidTime(data)}
        {data.isEnding
          ? `Your subscription then ends on ${formatSellerDate(data.paidUntil)}.`
          : describeNextPayment({ amountCents: data.nextCents, at: data.paidUntil })}
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume earlier</Button>
      <HelpNote when="you didn't expect this" />
    </>
  ),
});
