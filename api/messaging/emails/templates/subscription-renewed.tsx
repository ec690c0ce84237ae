import { brand } from "#schema/brand.ts";
import { formatAud } from "#schema/money.ts";
import { formatSellerDate, type EmailTemplate } from "./email-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface SubscriptionRenewedData {
  readonly firstName: string;
  readonly plan: string;
  /** Amount paid in cents, including GST. */
  readonly amountCents: number;
  readonly nextPaymentAt: Date;
}

/** Confirms a paid renewal. */
export const subscriptionRenewed: EmailTemplate<SubscriptionRenewedData> = {
  subject: ({ plan }) => `Your ${brand.productName} ${plan} subscription was renewed`,
  preview: ({ amountCents }) => `We received your payment of ${formatAud(amountCents)}.`,
  because: `You're receiving this email because you have a subscription at ${brand.name}.`,
  body: ({ firstName, plan, amountCents, nextPaymentAt }, { publicUrl }) => (
    <>
      <Heading>Your subscription was renewed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We received your payment of {formatAud(amountCents)} for {brand.productName} {plan}. Your licence was extended
        automatically. You don't need to do anything in the add-in.
      </Paragraph>
      <Paragraph>
        The next payment is due on {formatSellerDate(nextPaymentAt)}. We'll send the tax invoice in a separate email.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage subscription</Button>
      <Note>
        If you have questions, email <Support />
      </Note>
    </>
  ),
};
