import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  Paragraph,
  orNull,
} from "#api/messaging/emails/template.tsx";

/** Confirms a paid renewal. */
export const subscriptionRenewed = defineEmail({
  name: "subscription-renewed",
  sample: ({ at }) => ({
    plan: "Professional",
    /** Amount paid in cents, including GST. */
    amountCents: 16_495,
    nextPayment: { amountCents: orNull(16_495), at },
    /** True if the subscription is cancelled, so that it ends when the next payment would be due. */
    isEnding: false,
  }),
  subject: ({ plan }) => `Your ${brand.productName} ${plan} subscription was renewed`,
  preview: ({ amountCents }) => `We received your payment of ${formatAud(amountCents)}.`,
  because: `you have a subscription at ${brand.name}.`,
  heading: () => "Your subscription was renewed",
  body: ({ plan, amountCents, nextPayment, isEnding }, { publicUrl }) => (
    <>
      <Paragraph>
        We received your payment of {formatAud(amountCents)} for {brand.productName} {plan}. Your licence was extended
        automatically. You don't need to do anything in the add-in.
      </Paragraph>
      <Paragraph>
        {isEnding
          ? `Your subscription is cancelled and ends on ${formatSellerDate(nextPayment.at)}.`
          : describeNextPayment(nextPayment)}{" "}
        We'll send the tax invoice in a separate email.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage subscription</Button>
      <HelpNote when="you have questions" />
    </>
  ),
});
