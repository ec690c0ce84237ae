import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
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
}

/** Confirms that a subscription is paused. */
export const subscriptionPaused = defineEmail<SubscriptionPausedData>({
  name: "subscription-paused",
  sample: ({ at }) => ({ plan: "Professional", until: at, paidUntil: at, nextCents: 16_495, isEnding: false }),
  subject: ({ until }) => `Your ${brand.productName} subscription is paused until ${formatSellerDate(until)}`,
  preview: () => "Nothing is charged while it is paused.",
  because: `You're receiving this email because your subscription at ${brand.name} was paused.`,
  heading: () => "Your subscription is paused",
  body: ({ plan, until, paidUntil, nextCents, isEnding }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {plan} subscription is paused until {formatSellerDate(until)}. Your card isn't charged
        and your licence can't be used until then. Both resume on that day without any action from you.
      </Paragraph>
      <Paragraph>
        The time you paid for continues after the pause.{" "}
        {isEnding
          ? `Your subscription then ends on ${formatSellerDate(paidUntil)}.`
          : describeNextPayment({ amountCents: nextCents, at: paidUntil })}
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume earlier</Button>
      <HelpNote when="you didn't expect this" />
    </>
  ),
});
