import { brand } from "#schema/brand.ts";
import { defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Notifies a subscriber that staff closed their account and that they won't be charged again. */
export const accountClosed = defineEmail({
  name: "account-closed",
  sample: () => ({ plan: "Professional", at: new Date("2026-11-20T02:30:00Z") }),
  subject: () => `Your ${brand.name} account was closed`,
  preview: () => "Your subscription won't renew, and your card won't be charged again.",
  heading: () => "Your account was closed",
  body: ({ plan, at }, { date }) => (
    <>
      <Paragraph>
        We closed your account on {date(at)}. You are signed out everywhere, and your licences are suspended.
      </Paragraph>
      <Paragraph>
        Your {brand.productName} {plan} subscription won't renew. If your card is charged after this date, we'll refund
        the charge automatically.
      </Paragraph>
      <HelpNote when="you think this is a mistake" />
    </>
  ),
});
