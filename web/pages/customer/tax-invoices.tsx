import { paths } from "#web/platform/paths.ts";
import { InvoiceDetails } from "#web/selling/invoices/invoice-details.tsx";
import { TaxInvoicesTable } from "#web/selling/invoices/tax-invoices-table.tsx";
import { useTaxInvoicesQuery } from "#web/generated/graphql.ts";
import { PageLayout, Section } from "#web/public-ui/page-layout.tsx";
import { formatError } from "#web/platform/server-error.ts";

/** Page with the customer's tax invoices and the details shown on future ones. */
export default function TaxInvoicesPage() {
  // Refetch, because a payment may have been made since the cache was filled.
  const { data, error, refetch } = useTaxInvoicesQuery({ fetchPolicy: "cache-and-network" });
  return (
    <PageLayout
      title="Tax Invoices"
      lead="Tax invoices for your payments, and adjustment notes for refunds. Amounts include GST."
      back={{ to: paths.myAccount.href(), label: "My Account" }}
    >
      <Section title="Invoices">
        <TaxInvoicesTable
          invoices={data?.taxInvoices}
          error={error && !data ? formatError(error, "Unable to load your tax invoices.") : undefined}
          onRetry={() => void refetch()}
        />
      </Section>
      {data && <InvoiceDetails details={data.me} />}
    </PageLayout>
  );
}
