import { MyBillingContact } from "#web/billing/billing-contacts/billing-contact.tsx";
import { CorporateInvoices } from "#web/billing/my-invoices/corporate-invoices.tsx";
import { OpenInvoices } from "#web/billing/my-invoices/open-invoices.tsx";
import { StatementButton } from "#web/billing/statements/statement-button.tsx";
import { useMyInvoicesQuery, useTaxInvoicesQuery } from "#web/generated/graphql.ts";
import { useSession } from "#web/platform/session.ts";
import { paths } from "#web/platform/paths.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { InvoiceDetails } from "./invoice-details.tsx";
import { TaxInvoicesTable } from "./tax-invoices-table.tsx";

/** Page with the customer's tax invoices and the details shown on future ones. */
export default function TaxInvoicesPage() {
  const isCorporate = useSession()?.claims.role === "corporate";
  return (
    <PageLayout
      title={paths.taxInvoices.title}
      actions={<StatementButton />}
      lead="Tax invoices for your payments, and adjustment notes for refunds. Amounts include GST."
    >
      {isCorporate ? <CorporateInvoices /> : <RegularInvoices />}
      <MyBillingContact />
    </PageLayout>
  );
}

function RegularInvoices() {
  const { data, error, refetch } = useTaxInvoicesQuery();
  const own = useMyInvoicesQuery();
  return (
    <>
      {own.data && <OpenInvoices data={own.data} onPaid={() => void own.refetch()} />}
      <Section title="Invoices">
        <TaxInvoicesTable
          invoices={data?.taxInvoices}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
        />
      </Section>
      {data && <InvoiceDetails details={data.me} />}
    </>
  );
}
