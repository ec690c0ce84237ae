import { IconDownload } from "@tabler/icons-react";
import { formatSellerTableDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import type { TaxInvoicesQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

/** An invoice or adjustment note in a list. */
type ListedInvoice = TaxInvoicesQuery["taxInvoices"][number];

const invoiceColumns: readonly Column<ListedInvoice>[] = [
  momentColumn("Date", (invoice) => invoice.issuedAt, formatSellerTableDate),
  { title: "Invoice Number", text: (invoice) => invoice.number },
  { title: "Description", text: (invoice) => invoice.description },
  {
    title: "Amount",
    text: (invoice) => formatAud(invoice.totalCents),
    sortBy: (invoice) => invoice.totalCents,
    align: "right",
    wrap: "never",
  },
];

/** Downloads an invoice as a PDF. */
async function download(invoice: ListedInvoice): Promise<void> {
  notify.clearErrors();
  try {
    const response = await fetchFromApi(`/v1/taxInvoice/${invoice.id}/download`, "application/pdf");
    saveAsFile(`Invoice-${invoice.number}.pdf`, await response.blob(), "application/pdf");
  } catch (error) {
    notify.failure(error, "Unable to download the tax invoice.");
  }
}

/** Button that downloads an invoice as a PDF. */
function DownloadInvoice({ invoice, children }: DownloadInvoiceProps) {
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      label={`Download ${invoice.number}`}
      onPress={() => download(invoice)}
    >
      {children}
    </BusyButton>
  );
}

interface DownloadInvoiceProps {
  invoice: ListedInvoice;
  children: string;
}

interface TaxInvoicesTableProps {
  /** Undefined while loading. */
  invoices: readonly ListedInvoice[] | undefined;
  error: unknown;
  onRetry: () => void;
}

/** Table of the customer's tax invoices and adjustment notes, with a PDF download for each. */
export function TaxInvoicesTable({ invoices, error, onRetry }: TaxInvoicesTableProps) {
  return (
    <DataTable
      name="Tax Invoices"
      columns={invoiceColumns}
      rows={invoices}
      rowId={(invoice) => invoice.id}
      pageSize={10}
      action={(invoice) => <DownloadInvoice invoice={invoice}>Download</DownloadInvoice>}
      emptyMessage="Sorry, you don't have any tax invoices yet."
      error={error}
      failure="Unable to load your tax invoices."
      onRetry={onRetry}
    />
  );
}
