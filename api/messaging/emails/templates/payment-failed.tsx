import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, HelpNote, Paragraph, orNull } from "#api/messaging/emails/template.tsx";

/** Notifies a subscriber of a failed renewal payment, and explains what to do. */
export const paymentFailed = defineEmail({
  name: "payment-failed",
  sample: ({ at }) => ({
    plan: "Professional",
    /** Amount of the failed payment in cents, including GST. */
    amountCents: 16_495,
    /** Date until which the licence remains valid. */
    runsUntil: at,
    /** Date of the next automatic attempt; null if none is planned. */
    nextRetryAt: orNull(at),
  }),
  subject: () => `We couldn't process your ${brand.productName} payment`,
  preview: ({ runsUntil }) => `Please update your card by ${formatSellerDate(runsUntil)}.`,
  because: `you have a subscription at ${brand.name}.`,
  heading: () => "Your payment failed",
  body: ({ plan, amountCents, runsUntil, nextRetryAt }, { publicUrl }) => (
    <>
      <Paragraph>
        We tried to charge {formatAud(amountCents)} for your {brand.productName} {plan} subscription, but your bank
        declined the payment. The card may have expired, or the bank may have blocked the payment.
      </Paragraph>
      <Paragraph>
        Enter your card details again, or use another card. We'll then retry the payment immediately
        {nextRetryAt && `, otherwise on ${formatSellerDate(nextRetryAt)}`}. Your licence remains valid until{" "}
        {formatSellerDate(runsUntil)}.
      </Paragraph>
      <Button href={`${publicUrl}/manage-payment-details/`}>Update Card</Button>
      <HelpNote when="you have questions" />
    </>
  ),
});
