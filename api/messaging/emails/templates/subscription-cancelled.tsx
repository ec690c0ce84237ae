import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { Button, defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Confirms that a subscription was cancelled and ends with the current period. */
export const subscriptionCancelled = defineEmail({
  name: "subscription-cancelled",
  sample: ({ at }) => ({ plan: "Professional", endsAt: at }),
  subject: () => `Your ${brand.productName} subscription is cancelled`,
  preview: ({ endsAt }) => `Your licence is valid until ${formatSellerDate(endsAt)}.`,
  because: `your subscription at ${brand.name} was cancelled.`,
  heading: () => "Your subscription is cancelled",
  body: ({ plan, endsAt }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {plan} subscription was cancelled. Your card won't be charged again, and your licence
        remains valid until {formatSellerDate(endsAt)}.
      </Paragraph>
      <Paragraph>If you change your mind, you can resume the subscription until then.</Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume subscription</Button>
      <HelpNote when="you didn't cancel it" />
    </>
  ),
});
