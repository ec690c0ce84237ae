import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, Note, Paragraph, TextLink, orNull } from "#api/messaging/emails/template.tsx";

/** The account that a customer transfers money to. */
export interface BankFacts {
  readonly accountName: string;
  readonly bsb: string;
  readonly accountNumber: string;
}

/** Lists the bank account with the reference to use. */
export function BankAccount({ bank, reference }: { bank: BankFacts | null; reference: string }) {
  if (!bank) return null;
  return (
    <>
      <Paragraph>To pay by bank transfer, use these details:</Paragraph>
      <Facts
        facts={[
          ["Account name", bank.accountName],
          ["BSB", bank.bsb],
          ["Account number", bank.accountNumber],
          ["Reference", reference],
        ]}
      />
    </>
  );
}

/** Delivers an invoice that is to be paid, with the PDF attached. */
export const invoiceIssued = defineEmail({
  name: "invoice-issued",
  sample: ({ at }) => ({
    number: "100024",
    description: "Corporate Dark Concurrent, 5 users for a year",
    totalCents: 687_500,
    /** Amount to pay after the customer's credit was applied. */
    dueCents: 637_500,
    dueAt: at,
    purchaseOrder: orNull("PO-2291"),
    bank: orNull<BankFacts>(brand.company.bank),
  }),
  subject: ({ number }) => `Invoice ${number} from ${brand.name}`,
  preview: ({ dueCents, dueAt }) =>
    dueCents > 0 ? `${formatAud(dueCents)} due ${formatSellerDate(dueAt)}.` : "There is nothing to pay.",
  because: `this address receives the invoices for an account at ${brand.name}.`,
  heading: () => "Your invoice",
  body: ({ number, description, totalCents, dueCents, dueAt, purchaseOrder, bank }, { publicUrl, canSignIn }) => (
    <>
      <Paragraph>
        {dueCents > 0
          ? "Your tax invoice is attached as a PDF."
          : "Your tax invoice is attached as a PDF. Your credit covers it, so there is nothing to pay."}
      </Paragraph>
      <Facts
        facts={[
          ["Invoice number", number],
          ["Description", description],
          ...(purchaseOrder ? [["Purchase order", purchaseOrder] as const] : []),
          ["Total", formatAud(totalCents)],
          ...(dueCents < totalCents ? [["Credit applied", formatAud(totalCents - dueCents)] as const] : []),
          ["Amount due", formatAud(dueCents)],
          ...(dueCents > 0 ? [["Due date", formatSellerDate(dueAt)] as const] : []),
        ]}
      />
      {dueCents > 0 && <BankAccount bank={bank} reference={number} />}
      {canSignIn && <Button href={`${publicUrl}/tax-invoices/`}>View invoice</Button>}
      <Note>
        If something on the invoice needs to change, email{" "}
        <TextLink href={`mailto:${brand.mailboxes.sales.email}`}>{brand.mailboxes.sales.email}</TextLink>
      </Note>
    </>
  ),
});
