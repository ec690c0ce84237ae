import { brand } from "#schema/brand.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, Paragraph } from "#api/messaging/emails/template.tsx";

/** Delivers the adjustment note that cancels an invoice. */
export const invoiceCancelled = defineEmail({
  name: "invoice-cancelled",
  sample: () => ({
    number: "100024",
    noteNumber: "A-100003",
    totalCents: 687_500,
    /** Amount paid so far, which is the customer's credit now. */
    creditCents: 50_000,
  }),
  subject: ({ number }) => `Invoice ${number} from ${brand.name} was cancelled`,
  preview: () => "There is nothing to pay. The adjustment note is attached.",
  because: `this address receives the invoices for an account at ${brand.name}.`,
  heading: () => "Your invoice was cancelled",
  body: ({ number, noteNumber, totalCents, creditCents }, { publicUrl, canSignIn }) => (
    <>
      <Paragraph>
        We cancelled invoice {number}. Please don't pay it. The adjustment note for your records is attached as a PDF.
      </Paragraph>
      <Facts
        facts={[
          ["Invoice number", number],
          ["Adjustment note", noteNumber],
          ["Amount", formatAud(totalCents)],
        ]}
      />
      {creditCents > 0 && (
        <Paragraph>
          You had already paid {formatAud(creditCents)}. It is now your credit and reduces your next invoices.
        </Paragraph>
      )}
      {canSignIn && <Button href={`${publicUrl}/tax-invoices/`}>View invoices</Button>}
    </>
  ),
});
