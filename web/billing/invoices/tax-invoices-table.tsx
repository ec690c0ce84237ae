import type { ReactNode } from "react";
import { formatSellerTableDate } from "#schema/dates.ts";
import { type TaxInvoicesQuery, useTaxInvoicesQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { DownloadInvoice } from "./download-invoice.tsx";
import { InvoiceDetails } from "./invoice-details.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

type ListedInvoice = TaxInvoicesQuery["taxInvoices"][number];

const invoiceColumns: readonly Column<ListedInvoice>[] = [
  momentColumn("Date", (invoice) => invoice.issuedAt, formatSellerTableDate),
  { title: "Invoice Number", text: (invoice) => invoice.number },
  { title: "Description", text: (invoice) => invoice.description },
  moneyColumn("Amount", (invoice) => invoice.totalCents),
];

interface TaxInvoicesProps {
  title: string;
  actions?: ReactNode;
  /** Most invoices to show. Default all. */
  most?: number;
}

/** Section with the customer's tax invoices and adjustment notes, each with its PDF, and the details on future ones. */
export function TaxInvoices({ title, actions, most }: TaxInvoicesProps) {
  const { data, error, refetch } = useTaxInvoicesQuery();
  return (
    <>
      <Section title={title} actions={actions}>
        <DataTable
          name="Tax Invoices"
          columns={invoiceColumns}
          rows={data?.taxInvoices.slice(0, most)}
          rowId={(invoice) => invoice.id}
          pageSize={10}
          toolsFrom={most === undefined ? 0 : most + 1}
          action={({ id, number }) => (
            <DownloadInvoice
              number={number}
              path={`/v1/taxInvoice/${id}/download`}
              failure="Unable to download the tax invoice."
            />
          )}
          emptyMessage="Sorry, you don't have any tax invoices yet."
          error={data ? undefined : error}
          failure="Unable to load your tax invoices."
          onRetry={refetch}
        />
      </Section>
      {data && <InvoiceDetails details={data.me} read={async () => (await refetch()).data?.me} />}
    </>
  );
}
