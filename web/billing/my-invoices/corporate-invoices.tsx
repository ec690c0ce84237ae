import { formatSellerTableDate } from "#schema/dates.ts";
import { formatInvoiceStatus, InvoiceStatusBadge } from "#web/billing/invoices/invoice-status-badge.tsx";
import { useMyInvoicesQuery } from "#web/generated/graphql.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { DownloadMyInvoice, type MyInvoice, OpenInvoices } from "./open-invoices.tsx";
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

/** The invoices of a corporate customer, which staff wrote by hand, with the ones to pay first. */
export function CorporateInvoices() {
  const { data, error, refetch } = useMyInvoicesQuery();
  return (
    <>
      {data && <OpenInvoices data={data} onPaid={() => void refetch()} />}
      <Section title="Invoices">
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
          onRetry={() => void refetch()}
        />
      </Section>
    </>
  );
}
