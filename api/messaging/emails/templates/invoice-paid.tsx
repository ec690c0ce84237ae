import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, LicenceCode, Paragraph } from "#api/messaging/emails/template.tsx";

interface InvoicePaidData {
  readonly number: string;
  readonly totalCents: number;
  readonly creditCents: number;
  readonly paidAt: Date;
  /** The licence that the payment issued or extended. `licenceCode` is null for an extended one. */
  readonly licence: {
    readonly subscriptionLevel: string;
    readonly expiresAt: Date;
    readonly supportCode: string;
    readonly licenceCode: string | null;
  } | null;
}

/** The receipt for an invoice that was paid in full. */
export const invoicePaid = defineEmail<InvoicePaidData>({
  name: "invoice-paid",
  hasCode: true,
  sample: ({ at }) => ({
    number: "100024",
    totalCents: 687_500,
    creditCents: 50_000,
    paidAt: at,
    licence: {
      subscriptionLevel: "Corporate Dark Concurrent",
      expiresAt: at,
      supportCode: "S-7K3QMX9D",
      licenceCode: "9K2MX-4D0PV-7HJ3R-QW81T-ZC5NE-6YFAB",
    },
  }),
  subject: ({ number }) => `Receipt for invoice ${number} from ${brand.name}`,
  preview: ({ totalCents }) => `${formatAud(totalCents)} paid. Thank you.`,
  because: `You're receiving this email because this address receives the invoices for an account at ${brand.name}.`,
  heading: () => "Thank you for your payment",
  body: ({ number, totalCents, creditCents, paidAt, licence }, { publicUrl }) => (
    <>
      <Paragraph>Invoice {number} has been paid in full.</Paragraph>
      <Facts
        facts={[
          ["Invoice number", number],
          ["Total", formatAud(totalCents)],
          ...(creditCents > 0 ? [["Of that, from your credit", formatAud(creditCents)] as const] : []),
          ["Paid", formatSellerDate(paidAt)],
        ]}
      />
      {licence && (
        <Paragraph>
          {licence.licenceCode
            ? `Your new ${licence.subscriptionLevel} licence is valid until ${formatSellerDate(licence.expiresAt)}. This is its code:`
            : `Your ${licence.subscriptionLevel} licence ${licence.supportCode} is now valid until ${formatSellerDate(licence.expiresAt)}. Its code stays the same.`}
        </Paragraph>
      )}
      {licence?.licenceCode && <LicenceCode code={licence.licenceCode} />}
      <Button href={`${publicUrl}/tax-invoices/`}>View invoices</Button>
    </>
  ),
});
