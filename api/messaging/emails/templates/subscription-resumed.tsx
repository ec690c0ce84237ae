import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  type NextPayment,
  Paragraph,
} from "#api/messaging/emails/template.tsx";

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
