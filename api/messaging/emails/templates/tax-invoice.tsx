import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, Note, Paragraph } from "#api/messaging/emails/template.tsx";

interface TaxInvoiceData {
  readonly kind: "invoice" | "adjustment";
  readonly number: string;
  readonly description: string;
  readonly totalCents: number;
  readonly issuedAt: Date;
  /** Whether an invoice was paid when it was issued, or a note returned money. */
  readonly isPaid: boolean;
  /** What an invoice that isn't paid in full was paid with so far, what is due, in cents, and when. */
  readonly balance: {
    readonly creditCents: number;
    readonly paidCents: number;
    readonly dueCents: number;
    readonly dueAt: Date;
  } | null;
  readonly purchaseOrder: string | null;
  /** Whether the customer can change the details on future invoices in the portal. */
  readonly canChangeDetails: boolean;
}

/** A free invoice is marked as paid, but nobody paid anything. */
const wasPaid = ({ isPaid, totalCents }: TaxInvoiceData) => isPaid && totalCents !== 0;

const formatKind = ({ kind }: TaxInvoiceData) => (kind === "invoice" ? "tax invoice" : "adjustment note");

function listBalance({ balance }: TaxInvoiceData): [label: string, value: string][] {
  if (!balance) return [];
  const { creditCents, paidCents, dueCents, dueAt } = balance;
  const facts: [label: string, cents: number][] = [
    ["Credit applied", creditCents],
    ["Already paid", paidCents],
    ["Amount due", dueCents],
  ];
  return [
    ...facts.filter(([, cents]) => cents > 0).map(([label, cents]): [string, string] => [label, formatAud(cents)]),
    ["Due date", formatSellerDate(dueAt)],
  ];
}

/** Delivers a tax invoice or adjustment note as an attachment. */
export const taxInvoice = defineEmail<TaxInvoiceData>({
  name: "tax-invoice",
  sample: ({ at }) => ({
    kind: "invoice",
    number: "100001",
    description: "Professional, yearly subscription",
    totalCents: 156_640,
    issuedAt: at,
    isPaid: true,
    balance: null,
    purchaseOrder: null,
    canChangeDetails: true,
  }),
  subject: (data) => `Your ${formatKind(data)} ${data.number} from ${brand.name}`,
  preview: ({ description, totalCents }) => `${description}, ${formatAud(totalCents)}.`,
  because: `this address receives the tax invoices for an account at ${brand.name}.`,
  heading: (data) => `Your ${formatKind(data)}`,
  body: (data, { publicUrl, canSignIn }) => (
    <>
      <Paragraph>
        {data.kind === "invoice"
          ? `${wasPaid(data) ? "Thank you for your payment. " : ""}Your tax invoice is attached as a PDF.`
          : `${data.isPaid ? "Some or all of your payment was returned. " : ""}The adjustment note for your records is attached as a PDF.`}
      </Paragraph>
      <Facts
        facts={[
          [data.kind === "invoice" ? "Invoice number" : "Number", data.number],
          ["Description", data.description],
          [data.kind === "invoice" && wasPaid(data) ? "Amount paid" : "Amount", formatAud(data.totalCents)],
          ...listBalance(data),
          ["Issued", formatSellerDate(data.issuedAt)],
          ...(data.purchaseOrder ? [["Purchase order", data.purchaseOrder] as const] : []),
        ]}
      />
      {canSignIn && <Button href={`${publicUrl}/tax-invoices/`}>View tax invoices</Button>}
      {canSignIn && data.canChangeDetails && (
        <Note>You can also change the company name, ABN and address on your future invoices there.</Note>
      )}
    </>
  ),
});
