import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { Button, defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

interface SubscriptionCancelledData {
  readonly plan: string;
  readonly endsAt: Date;
  /** Date until which the licence remains valid: `endsAt`, or a later date until which staff extended it. */
  readonly runsUntil: Date;
  /** End of a pause, which suspends the licence until then; null if the subscription isn't paused. */
  readonly pausedUntil: Date | null;
  /** True if a disputed payment suspends the licence. */
  readonly isDisputed: boolean;
}

function describeLicence({ runsUntil, pausedUntil, isDisputed }: SubscriptionCancelledData): string {
  if (isDisputed) return "A payment is disputed with your bank, so your licence stays suspended. Please contact us.";
  const until = `until ${formatSellerDate(runsUntil)}.`;
  return pausedUntil
    ? `Your licence is valid again from ${formatSellerDate(pausedUntil)}, when the pause ends, ${until}`
    : `Your licence remains valid ${until}`;
}

/** Confirms that a subscription was cancelled and ends with the current period. */
export const subscriptionCancelled = defineEmail<SubscriptionCancelledData>({
  name: "subscription-cancelled",
  sample: ({ at }) => ({
    plan: "Professional",
    endsAt: at,
    runsUntil: at,
    pausedUntil: null,
    isDisputed: false,
  }),
  subject: () => `Your ${brand.productName} subscription is cancelled`,
  preview: describeLicence,
  because: `your subscription at ${brand.name} was cancelled.`,
  heading: () => "Your subscription is cancelled",
  body: (data, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {data.plan} subscription was cancelled. Your card won't be charged again.{" "}
        {describeLicence(data)}
      </Paragraph>
      <Paragraph>
        If you change your mind, you can resume the subscription until {formatSellerDate(data.endsAt)}.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume subscription</Button>
      <HelpNote when="you didn't cancel it" />
    </>
  ),
});
