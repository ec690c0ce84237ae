import { formatSellerTableDate } from "#schema/dates.ts";
import type { TaxInvoicesQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { DownloadInvoice } from "./download-invoice.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

/** An invoice or adjustment note in a list. */
type ListedInvoice = TaxInvoicesQuery["taxInvoices"][number];

const invoiceColumns: readonly Column<ListedInvoice>[] = [
  momentColumn("Date", (invoice) => invoice.issuedAt, formatSellerTableDate),
  { title: "Invoice Number", text: (invoice) => invoice.number },
  { title: "Description", text: (invoice) => invoice.description },
  moneyColumn("Amount", (invoice) => invoice.totalCents),
];

interface TaxInvoicesTableProps {
  /** Undefined while loading. */
  invoices: readonly ListedInvoice[] | undefined;
  error: unknown;
  onRetry: () => void;
  toolsFrom?: number;
}

/** Table of the customer's tax invoices and adjustment notes, with a PDF download for each. */
export function TaxInvoicesTable({ invoices, error, onRetry, toolsFrom = 0 }: TaxInvoicesTableProps) {
  return (
    <DataTable
      name="Tax Invoices"
      columns={invoiceColumns}
      rows={invoices}
      rowId={(invoice) => invoice.id}
      pageSize={10}
      toolsFrom={toolsFrom}
      action={({ id, number }) => (
        <DownloadInvoice
          number={number}
          path={`/v1/taxInvoice/${id}/download`}
          failure="Unable to download the tax invoice."
        />
      )}
      emptyMessage="Sorry, you don't have any tax invoices yet."
      error={error}
      failure="Unable to load your tax invoices."
      onRetry={onRetry}
    />
  );
}
