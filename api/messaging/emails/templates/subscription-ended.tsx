import { brand } from "#schema/brand.ts";
import { Button, defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Notifies a customer that a subscription has ended because it was cancelled or not paid. */
export const subscriptionEnded = defineEmail({
  name: "subscription-ended",
  sample: () => ({
    plan: "Professional",
    /** True if the customer or staff cancelled the subscription; false if its payments failed. */
    wasCancelled: false,
  }),
  subject: () => `Your ${brand.productName} subscription has ended`,
  preview: () => "You can subscribe again at any time.",
  because: `you had a subscription at ${brand.name}.`,
  heading: () => "Your subscription has ended",
  body: ({ plan, wasCancelled }, { publicUrl }) => (
    <>
      <Paragraph>
        {wasCancelled
          ? `Your ${brand.productName} ${plan} subscription has ended because it was cancelled. Your card won't be charged again.`
          : `Your ${brand.productName} ${plan} subscription has ended. Your card won't be charged again.`}
      </Paragraph>
      <Paragraph>
        When your licence has ended, the add-in can no longer convert files. You can keep the files you have converted,
        and you can subscribe again at any time.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Subscribe again</Button>
      <HelpNote when="you have questions" />
    </>
  ),
});
