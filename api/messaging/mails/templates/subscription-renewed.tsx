import { brand } from "#schema/brand.ts";
import { aud } from "#schema/money.ts";
import { formatSellerDate, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface SubscriptionRenewedData {
  readonly firstName: string;
  readonly plan: string;
  /** What was paid, cents with GST. */
  readonly amountCents: number;
  readonly nextPaymentAt: Date;
}

/** A renewal that was paid. */
export const subscriptionRenewed: MailTemplate<SubscriptionRenewedData> = {
  subject: ({ plan }) => `Your ${brand.productName} ${plan} subscription was renewed`,
  preview: ({ amountCents }) => `We received your payment of ${aud(amountCents)}.`,
  because: `You get this mail because you subscribe at ${brand.name}.`,
  body: ({ firstName, plan, amountCents, nextPaymentAt }, { publicUrl }) => (
    <>
      <Heading>Your subscription was renewed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We received your payment of {aud(amountCents)} for {brand.productName} {plan}. Your licence carries on by
        itself: there is nothing to do in the add-in.
      </Paragraph>
      <Paragraph>
        The next payment is due on {formatSellerDate(nextPaymentAt)}. The tax invoice comes in a mail of its own.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Manage my subscription</Button>
      <Note>
        Questions? Write to <Support />
      </Note>
    </>
  ),
};
