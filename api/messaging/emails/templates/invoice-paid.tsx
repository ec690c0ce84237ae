import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, LicenceCode, Paragraph } from "#api/messaging/emails/template.tsx";

interface InvoicePaidData {
  readonly number: string;
  readonly purchaseOrder: string | null;
  readonly totalCents: number;
  readonly creditCents: number;
  readonly paidAt: Date;
  /** The licence that the payment issued or extended. `licenceCode` is null for an extended one and an unconfirmed address. */
  readonly licence: {
    readonly subscriptionLevel: string;
    readonly expiresAt: Date;
    readonly supportCode: string;
    readonly isNew: boolean;
    readonly licenceCode: string | null;
  } | null;
}

/** The receipt for an invoice that was paid in full. */
export const invoicePaid = defineEmail<InvoicePaidData>({
  name: "invoice-paid",
  hasCode: true,
  sample: ({ at }) => ({
    number: "100024",
    purchaseOrder: "PO-2291",
    totalCents: 687_500,
    creditCents: 50_000,
    paidAt: at,
    licence: {
      subscriptionLevel: "Corporate Dark Concurrent",
      expiresAt: at,
      supportCode: "S-7K3QMX9D",
      isNew: true,
      licenceCode: "9K2MX-4D0PV-7HJ3R-QW81T-ZC5NE-6YFAB",
    },
  }),
  subject: ({ number }) => `Receipt for invoice ${number} from ${brand.name}`,
  preview: ({ totalCents }) =>
    totalCents > 0 ? `${formatAud(totalCents)} paid. Thank you.` : "There is nothing to pay.",
  because: `this address receives the invoices for an account at ${brand.name}.`,
  // Goodwill can reduce an invoice to nothing.
  heading: ({ totalCents }) => (totalCents > 0 ? "Thank you for your payment" : "Your invoice is settled"),
  body: ({ number, purchaseOrder, totalCents, creditCents, paidAt, licence }, { publicUrl, canSignIn }) => (
    <>
      <Paragraph>
        Invoice {number} {totalCents > 0 ? "has been paid in full." : "is over A$0.00, so there is nothing to pay."}
      </Paragraph>
      <Facts
        facts={[
          ["Invoice number", number],
          ...(purchaseOrder ? [["Purchase order", purchaseOrder] as const] : []),
          ["Total", formatAud(totalCents)],
          ...(creditCents > 0 ? [["Of that, from your credit", formatAud(creditCents)] as const] : []),
          ...(totalCents > 0 ? [["Paid", formatSellerDate(paidAt)] as const] : []),
        ]}
      />
      {licence && (
        <Paragraph>
          {licence.isNew
            ? `Your new ${licence.subscriptionLevel} licence is valid until ${formatSellerDate(licence.expiresAt)}. ${licence.licenceCode ? "This is its code:" : "Confirm your email address to see its code in your account."}`
            : `Your ${licence.subscriptionLevel} licence ${licence.supportCode} is now valid until ${formatSellerDate(licence.expiresAt)}. Its code stays the same.`}
        </Paragraph>
      )}
      {licence?.licenceCode && <LicenceCode code={licence.licenceCode} />}
      {canSignIn && <Button href={`${publicUrl}/tax-invoices/`}>View invoices</Button>}
    </>
  ),
});
