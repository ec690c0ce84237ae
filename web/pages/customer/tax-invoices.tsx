import { paths } from "#web/platform/paths.ts";
import { InvoiceDetails } from "#web/selling/invoices/invoice-details.tsx";
import { TaxInvoicesTable } from "#web/selling/invoices/tax-invoices-table.tsx";
import { useTaxInvoicesQuery } from "#web/generated/graphql.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { messageOf } from "#web/platform/server-error.ts";

/** The customer's tax invoices, and what stands on the next ones. */
export default function TaxInvoicesPage() {
  // A payment in the meantime must show; the cache may be older.
  const { data, error, refetch } = useTaxInvoicesQuery({ fetchPolicy: "cache-and-network" });
  return (
    <PageLayout
      title="Tax Invoices"
      lead="Every payment, and every refund as an adjustment note. Amounts include GST."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
    >
      <Section title="Invoices">
        <TaxInvoicesTable
          invoices={data?.taxInvoices}
          error={error && !data ? messageOf(error, "Unable to load your tax invoices.") : undefined}
          onRetry={() => void refetch()}
        />
      </Section>
      {data && <InvoiceDetails details={data.me} />}
    </PageLayout>
  );
}
