import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, Note, Paragraph } from "#api/messaging/emails/template.tsx";
import { BankAccount, type BankFacts } from "./invoice-issued.tsx";

interface InvoiceReminderData {
  readonly number: string;
  readonly dueCents: number;
  readonly dueAt: Date;
  /** Days after the due date; negative before it, 0 on the day. */
  readonly days: number;
  readonly purchaseOrder: string | null;
  readonly bank: BankFacts | null;
}

function describeDue({ days, dueAt }: InvoiceReminderData): string {
  if (days === 0) return "is due today";
  return days < 0 ? `is due on ${formatSellerDate(dueAt)}` : `was due on ${formatSellerDate(dueAt)}`;
}

/** Reminds a customer of an invoice that is to be paid, with the PDF attached. */
export const invoiceReminder = defineEmail<InvoiceReminderData>({
  name: "invoice-reminder",
  sample: ({ at }) => ({
    number: "100024",
    dueCents: 687_500,
    dueAt: at,
    days: 7,
    purchaseOrder: "PO-2291",
    bank: brand.company.bank,
  }),
  subject: (data) => `Invoice ${data.number} ${describeDue(data)}`,
  preview: ({ dueCents }) => `${formatAud(dueCents)} is still to be paid.`,
  because: `this address receives the invoices for an account at ${brand.name}.`,
  heading: (data) => (data.days > 0 ? "Your invoice is overdue" : "Your invoice is due soon"),
  body: (data, { publicUrl, canSignIn }) => (
    <>
      <Paragraph>
        Invoice {data.number} {describeDue(data)}. It is attached as a PDF.
      </Paragraph>
      <Facts
        facts={[
          ["Invoice number", data.number],
          ...(data.purchaseOrder ? [["Purchase order", data.purchaseOrder] as const] : []),
          ["Amount due", formatAud(data.dueCents)],
          ["Due date", formatSellerDate(data.dueAt)],
        ]}
      />
      <BankAccount bank={data.bank} reference={data.number} />
      {canSignIn && <Button href={`${publicUrl}/tax-invoices/`}>View invoice</Button>}
      <Note>If you have already paid, thank you. A transfer can take a few days to arrive.</Note>
    </>
  ),
});
