import { MyBillingContact } from "#web/billing/billing-contacts/billing-contact.tsx";
import { DownloadMyInvoice, type MyInvoice, OpenInvoices } from "#web/billing/my-invoices/open-invoices.tsx";
import { StatementButton } from "#web/billing/statements/statement-button.tsx";
import { useMyInvoicesQuery } from "#web/generated/graphql.ts";
import { useSession } from "#web/platform/session.ts";
import { paths } from "#web/platform/paths.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { InvoiceDetails } from "./invoice-details.tsx";
import { TaxInvoices } from "./tax-invoices-table.tsx";
import { formatSellerTableDate } from "#schema/dates.ts";
import { formatInvoiceStatus, InvoiceStatusBadge } from "./invoice-status-badge.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

const columns: readonly Column<MyInvoice>[] = [
  momentColumn("Date", ({ issuedAt }) => issuedAt, formatSellerTableDate),
  { title: "Invoice Number", text: ({ number }) => number, wrap: "never" },
  { title: "Description", text: describeInvoice },
  momentColumn("Due date", ({ dueAt }) => dueAt, formatSellerTableDate),
  { title: "Status", text: formatInvoiceStatus, render: (invoice) => <InvoiceStatusBadge row={invoice} /> },
  moneyColumn("Amount", ({ totalCents }) => totalCents),
];

/** Returns the description, and which invoice to another buyer it replaces or is replaced by. */
function describeInvoice({ description, replacesNumber, replacedByNumber }: MyInvoice): string {
  if (replacedByNumber) return `${description} (re-issued as ${replacedByNumber})`;
  return replacesNumber ? `${description} (replaces ${replacesNumber})` : description;
}

/** Page with the customer's invoices to pay, all invoices, and the details shown on future ones. */
export default function TaxInvoicesPage() {
  const isCorporate = useSession()?.claims.role === "corporate";
  const query = useMyInvoicesQuery();
  const { data, error, refetch } = query;
  const reload = () => void refetch().catch(() => undefined);
  return (
    <PageLayout
      title={paths.taxInvoices.title}
      actions={<StatementButton />}
      lead="Tax invoices for your payments, and adjustment notes for refunds. Amounts include any GST."
    >
      {data && <OpenInvoices data={data} onPaid={reload} />}
      {isCorporate ? (
        <>
          <Section title="Invoices">
            {/* Staff wrote each of these by hand. */}
            <DataTable
              name="Tax Invoices"
              columns={columns}
              rows={data?.myInvoices}
              rowId={({ id }) => id}
              pageSize={10}
              action={(invoice) => <DownloadMyInvoice invoice={invoice} />}
              emptyMessage="Sorry, you don't have any tax invoices yet."
              error={data ? undefined : error}
              failure="Unable to load your tax invoices."
              onRetry={reload}
            />
          </Section>
          {data && <InvoiceDetails details={data.me} read={async () => (await refetch()).data?.me} />}
        </>
      ) : (
        <>
          {error && !data && <Loaded query={query} failure="Unable to load your unpaid invoices." />}
          <TaxInvoices title="Invoices" />
        </>
      )}
      <MyBillingContact />
    </PageLayout>
  );
}
