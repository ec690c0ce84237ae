import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { Button, defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Confirms that a subscription was cancelled and ends with the current period. */
export const subscriptionCancelled = defineEmail({
  name: "subscription-cancelled",
  sample: ({ at }) => ({
    plan: "Professional",
    endsAt: at,
    /** Date until which the licence remains valid: `endsAt`, or a later date until which staff extended it. */
    runsUntil: at,
  }),
  subject: () => `Your ${brand.productName} subscription is cancelled`,
  preview: ({ runsUntil }) => `Your licence is valid until ${formatSellerDate(runsUntil)}.`,
  because: `your subscription at ${brand.name} was cancelled.`,
  heading: () => "Your subscription is cancelled",
  body: ({ plan, endsAt, runsUntil }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {plan} subscription was cancelled. Your card won't be charged again, and your licence
        remains valid until {formatSellerDate(runsUntil)}.
      </Paragraph>
      <Paragraph>If you change your mind, you can resume the subscription until {formatSellerDate(endsAt)}.</Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume subscription</Button>
      <HelpNote when="you didn't cancel it" />
    </>
  ),
});
