import { brand } from "#schema/brand.ts";
import { describeDeferredCharge, formatAud, isBelowCardMinimum } from "#schema/money.ts";
import {
  Button,
  defineEmail,
  describeNextPayment,
  HelpNote,
  LicenceCode,
  Note,
  Paragraph,
  TextLink,
  orNull,
} from "#api/messaging/emails/template.tsx";

/** Welcomes a new subscriber with the licence code, and explains how to use it. */
export const subscriptionStarted = defineEmail({
  name: "subscription-started",
  hasCode: true,
  sample: ({ at }) => ({
    plan: "Professional",
    licenceCode: "9K2MX-4D0PV-7HJ3R-QW81T-ZC5NE-6YFAB",
    /** Amount of the first payment in cents, including GST. */
    amountCents: 14_845,
    nextPayment: { amountCents: orNull(16_495), at },
  }),
  subject: ({ plan }) => `Your ${brand.productName} ${plan} subscription has started`,
  preview: () => "Your licence code and how to use it.",
  because: `you subscribed at ${brand.name}.`,
  heading: ({ plan }) => `Welcome to ${plan}`,
  body: ({ plan, licenceCode, amountCents, nextPayment }, { publicUrl }) => (
    <>
      <Paragraph>
        Thank you for subscribing to {brand.productName} {plan}. This is your licence code:
      </Paragraph>
      <LicenceCode code={licenceCode} />
      <Paragraph>
        Download and install {brand.productName}, then enter the code in the add-in. If the add-in is already installed,
        enter the new code there.
      </Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Paragraph>
        {isBelowCardMinimum(amountCents)
          ? describeDeferredCharge(formatAud(amountCents))
          : `The first payment is ${formatAud(amountCents)}`}
        . {describeNextPayment(nextPayment)} We'll send your tax invoice in a separate email. The code stays the same
        while you are subscribed.
      </Paragraph>
      <Note>
        You can change or cancel your subscription, or update your card, at any time:{" "}
        <TextLink href={`${publicUrl}/manage-subscription/`}>{`${publicUrl}/manage-subscription/`}</TextLink>
      </Note>
      <HelpNote when="you need help" />
    </>
  ),
});
