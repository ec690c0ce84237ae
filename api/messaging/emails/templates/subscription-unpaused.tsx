import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { Button, defineEmail, describeNextPayment, Paragraph } from "#api/messaging/emails/template.tsx";
import type { SubscriptionPausedData } from "./subscription-paused.tsx";

type SubscriptionUnpausedData = Omit<SubscriptionPausedData, "until" | "wasOverdue"> & {
  /** True if a disputed payment still suspends the licence. */
  readonly isDisputed: boolean;
};

const VALID = "Your licence is valid again.";
const DISPUTED = "A payment is disputed with your bank, so your licence stays suspended. Please contact us.";

/** Says that a pause has ended, and whether the licence is valid again. */
export const subscriptionUnpaused = defineEmail<SubscriptionUnpausedData>({
  name: "subscription-unpaused",
  sample: ({ at }) => ({ plan: "Professional", paidUntil: at, nextCents: 16_495, isEnding: false, isDisputed: false }),
  subject: () => `Your ${brand.productName} subscription has resumed`,
  preview: ({ isDisputed }) => (isDisputed ? DISPUTED : VALID),
  because: `the pause of your subscription at ${brand.name} ended.`,
  heading: () => "Your subscription has resumed",
  body: ({ plan, paidUntil, nextCents, isEnding, isDisputed }, { publicUrl }) => (
    <>
      <Paragraph>
        The pause of your {brand.productName} {plan} subscription has ended. {isDisputed ? DISPUTED : VALID}
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
