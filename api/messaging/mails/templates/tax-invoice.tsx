import { brand } from "#schema/brand.ts";
import { aud } from "#schema/money.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph } from "./parts.tsx";

export interface TaxInvoiceData {
  readonly firstName: string;
  readonly kind: "invoice" | "adjustment";
  readonly number: string;
  readonly description: string;
  readonly totalCents: number;
  readonly issuedAt: Date;
}

const nameOf = ({ kind }: TaxInvoiceData) => (kind === "invoice" ? "tax invoice" : "adjustment note");

/** Brings a tax invoice or adjustment note, which is attached. */
export const taxInvoice: MailTemplate<TaxInvoiceData> = {
  subject: (data) => `Your ${nameOf(data)} ${data.number} from ${brand.name}`,
  preview: ({ description, totalCents }) => `${description}, ${aud(totalCents)}.`,
  because: `You get this mail because you pay for ${brand.productName} by card.`,
  body: (data, { publicUrl }) => (
    <>
      <Heading>Your {nameOf(data)}</Heading>
      <Hello firstName={data.firstName} />
      <Paragraph>
        {data.kind === "invoice"
          ? "Thank you for your payment. The tax invoice is attached as a PDF."
          : "We have refunded a payment of yours. The adjustment note for your books is attached as a PDF."}
      </Paragraph>
      <Facts
        facts={[
          [data.kind === "invoice" ? "Invoice number" : "Number", data.number],
          ["Description", data.description],
          [data.kind === "invoice" ? "Amount paid" : "Amount", aud(data.totalCents)],
          ["Issued", dayAndTime(data.issuedAt)],
        ]}
      />
      <Button href={`${publicUrl}/tax-invoices/`}>See all tax invoices</Button>
      <Note>There you can also change the company name, ABN and address on your future invoices.</Note>
    </>
  ),
};
