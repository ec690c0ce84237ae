import { Anchor } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatSellerTableDate } from "#schema/dates.ts";
import type { InvoiceRowFragment, InvoiceSortColumn } from "#web/generated/graphql.ts";
import { userTabHref } from "#web/platform/paths.ts";
import type { Column } from "#web/ui/table/data-table.tsx";
import { formatInvoiceStatus, InvoiceStatusBadge } from "./invoice-status-badge.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

/** Returns the URL of an invoice on its customer's Billing tab. */
export function getInvoiceHref({ userId, id }: Pick<InvoiceRowFragment, "userId" | "id">): string {
  return userTabHref(userId, "billing", `&invoice=${id}`);
}

const customer: Column<InvoiceRowFragment> = {
  title: "Customer",
  text: ({ customerName, companyName }) => companyName || customerName,
  render: ({ userId, customerName, companyName }) => (
    <Anchor component={Link} inherit to={userTabHref(userId, "billing")}>
      {companyName || customerName}
    </Anchor>
  ),
};

/** Columns of an invoice on its customer's page. */
export const invoiceColumns: readonly Column<InvoiceRowFragment>[] = [
  {
    title: "Number",
    text: ({ number }) => number ?? "Draft",
    wrap: "never",
    render: (row) => (
      <Anchor component={Link} inherit to={getInvoiceHref(row)}>
        {row.number ?? "Draft"}
      </Anchor>
    ),
  },
  momentColumn("Date", ({ issuedAt }) => issuedAt, formatSellerTableDate),
  momentColumn("Due date", ({ dueAt }) => dueAt, formatSellerTableDate),
  { title: "Status", text: formatInvoiceStatus, render: (row) => <InvoiceStatusBadge row={row} /> },
  { title: "Description", text: ({ description }) => description, sortBy: null },
  moneyColumn("Total", ({ totalCents }) => totalCents),
  moneyColumn("Balance", ({ balanceCents }) => balanceCents),
];

/** Columns of the list of all invoices. */
export const allInvoiceColumns: readonly Column<InvoiceRowFragment>[] = invoiceColumns.flatMap((column) =>
  column.title === "Date" ? [customer, column] : [column],
);

/** Sort keys of the API by column title. */
export const invoiceSortColumns: Readonly<Record<string, InvoiceSortColumn>> = {
  Number: "NUMBER",
  Customer: "CUSTOMER",
  Date: "DATE",
  "Due date": "DUE",
  Status: "STATUS",
  Total: "TOTAL",
  Balance: "BALANCE",
};
