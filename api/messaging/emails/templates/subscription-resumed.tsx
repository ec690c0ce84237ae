import { brand } from "#schema/brand.ts";
import { defineEmail } from "#api/messaging/emails/email-template.ts";
import {
  Button,
  Heading,
  Hello,
  HelpNote,
  type NextPayment,
  Paragraph,
  describeNextPayment,
} from "#api/messaging/emails/parts.tsx";

interface SubscriptionResumedData {
  readonly firstName: string;
  readonly plan: string;
  readonly nextPayment: NextPayment;
}

/** Confirms that a cancelled subscription continues. */
export const subscriptionResumed = defineEmail<SubscriptionResumedData>({
  name: "subscription-resumed",
  sample: ({ firstName, at }) => ({ firstName, plan: "Professional", nextPayment: { amountCents: 16_495, at } }),
  subject: () => `Your ${brand.productName} subscription continues`,
  preview: ({ nextPayment }) => describeNextPayment(nextPayment),
  because: `You're receiving this email because a cancelled subscription at ${brand.name} was resumed.`,
  body: ({ firstName, plan, nextPayment }, { publicUrl }) => (
    <>
      <Heading>Your subscription continues</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your {brand.productName} {plan} subscription was resumed and no longer ends with the current period.{" "}
        {describeNextPayment(nextPayment)}
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>View subscription</Button>
      <HelpNote when="you didn't resume it" />
    </>
  ),
});
