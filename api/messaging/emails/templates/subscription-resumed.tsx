import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  Paragraph,
  orNull,
} from "#api/messaging/emails/template.tsx";

/** Confirms that a cancelled subscription continues. */
export const subscriptionResumed = defineEmail({
  name: "subscription-resumed",
  sample: ({ at }) => ({ plan: "Professional", nextPayment: { amountCents: orNull(16_495), at } }),
  subject: () => `Your ${brand.productName} subscription continues`,
  preview: ({ nextPayment }) => describeNextPayment(nextPayment),
  because: `a cancelled subscription at ${brand.name} was resumed.`,
  heading: () => "Your subscription continues",
  body: ({ plan, nextPayment }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {plan} subscription was resumed and no longer ends with the current period.{" "}
        {describeNextPayment(nextPayment)}
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>View subscription</Button>
      <HelpNote when="you didn't resume it" />
    </>
  ),
});
