import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { Button, defineEmail, describeNextPayment, Paragraph } from "#api/messaging/emails/template.tsx";
import type { SubscriptionPausedData } from "./subscription-paused.tsx";

type SubscriptionUnpausedData = Omit<SubscriptionPausedData, "until" | "wasOverdue">;

/** Says that a pause has ended and the licence is valid again. */
export const subscriptionUnpaused = defineEmail<SubscriptionUnpausedData>({
  name: "subscription-unpaused",
  sample: ({ at }) => ({ plan: "Professional", paidUntil: at, nextCents: 16_495, isEnding: false }),
  subject: () => `Your ${brand.productName} subscription has resumed`,
  preview: () => "Your licence is valid again.",
  because: `You're receiving this email because the pause of your subscription at ${brand.name} ended.`,
  heading: () => "Your subscription has resumed",
  body: ({ plan, paidUntil, nextCents, isEnding }, { publicUrl }) => (
    <>
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
