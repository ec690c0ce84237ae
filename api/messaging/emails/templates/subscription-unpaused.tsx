import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { defineEmail } from "#api/messaging/emails/email-template.ts";
import { describeNextPayment, Button, Heading, Hello, Paragraph } from "#api/messaging/emails/parts.tsx";
import type { SubscriptionPausedData } from "./subscription-paused.tsx";

type SubscriptionUnpausedData = Omit<SubscriptionPausedData, "until">;

/** Says that a pause has ended and the licence is valid again. */
export const subscriptionUnpaused = defineEmail<SubscriptionUnpausedData>({
  name: "subscription-unpaused",
  sample: ({ firstName, at }) => ({
    firstName,
    plan: "Professional",
    paidUntil: at,
    nextCents: 16_495,
    isEnding: false,
  }),
  subject: () => `Your ${brand.productName} subscription has resumed`,
  preview: () => "Your licence is valid again.",
  because: `You're receiving this email because the pause of your subscription at ${brand.name} ended.`,
  body: ({ firstName, plan, paidUntil, nextCents, isEnding }, { publicUrl }) => (
    <>
      <Heading>Your subscription has resumed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        The pause of your {brand.productName} {plan} subscription has ended. Your licence is valid again.
      </Paragraph>
      <Paragraph>
        {isEnding
          ? `Your subscription is cancelled and ends on ${formatSellerDate(paidUntil)}.`
          : describeNextPayment({ amountCents: nextCents, at: paidUntil })}
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>View subscription</Button>
    </>
  ),
});
