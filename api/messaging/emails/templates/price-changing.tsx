import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Notifies a subscriber of a new price from the next renewal. */
export const priceChanging = defineEmail({
  name: "price-changing",
  sample: ({ at }) => ({
    plan: "Professional",
    interval: "monthly" as "monthly" | "yearly",
    /** Amounts per period in cents, including GST. */
    fromCents: 16_495,
    toCents: 17_595,
    hasGst: true,
    /** The first payment of the new price. */
    renewsAt: at,
  }),
  subject: ({ plan }) => `The price of your ${brand.productName} ${plan} subscription changes`,
  preview: ({ toCents, renewsAt }) => `From ${formatSellerDate(renewsAt)} you pay ${formatAud(toCents)}.`,
  because: `you have a subscription at ${brand.name}.`,
  heading: ({ renewsAt }) => `Your price changes on ${formatSellerDate(renewsAt)}`,
  body: ({ plan, interval, fromCents, toCents, hasGst, renewsAt }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {plan} subscription costs {formatAud(fromCents)} a{" "}
        {interval === "yearly" ? "year" : "month"}. From the payment on {formatSellerDate(renewsAt)} it costs{" "}
        {formatAud(toCents)}
        {hasGst ? ", including GST" : ""}. Until then nothing changes.
      </Paragraph>
      <Paragraph>
        You don't need to do anything to keep your subscription. You can change or cancel it at any time before that
        payment.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage subscription</Button>
      <HelpNote when="you have questions" />
    </>
  ),
});
