import { brand } from "#schema/brand.ts";
import { aud } from "#schema/money.ts";
import { formatSellerDate, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface PaymentFailedData {
  readonly firstName: string;
  readonly plan: string;
  /** What could not be taken, cents with GST. */
  readonly amountCents: number;
  /** Until when the licence runs nevertheless. */
  readonly runsUntil: Date;
}

/** A renewal that could not be paid, and what to do. */
export const paymentFailed: MailTemplate<PaymentFailedData> = {
  subject: () => `We could not take your ${brand.productName} payment`,
  preview: ({ runsUntil }) => `Please update your card by ${formatSellerDate(runsUntil)}.`,
  because: `You get this mail because you subscribe at ${brand.name}.`,
  body: ({ firstName, plan, amountCents, runsUntil }, { publicUrl }) => (
    <>
      <Heading>Your payment did not go through</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We tried to take {aud(amountCents)} for your {brand.productName} {plan} subscription, and your bank said no.
        Cards expire and banks are careful: it is usually mended in a minute.
      </Paragraph>
      <Paragraph>
        Please enter your card again, or another one. The payment is then made at once. Your licence keeps running until{" "}
        {formatSellerDate(runsUntil)}.
      </Paragraph>
      <Button href={`${publicUrl}/manage-payment-details/`}>Change my payment details</Button>
      <Note>
        Questions? Write to <Support />
      </Note>
    </>
  ),
};
