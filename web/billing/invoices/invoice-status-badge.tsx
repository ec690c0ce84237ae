import { Badge, type MantineColor } from "@mantine/core";
import { type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoices.ts";
import type { InvoiceRowFragment } from "#web/generated/graphql.ts";

const colours: Readonly<Record<InvoiceStatus, MantineColor>> = {
  draft: "gray",
  open: "blue",
  overdue: "red",
  paid: "spruce",
  refunded: "gray",
  void: "gray",
};

/** Returns the status of a row in words. */
export function formatInvoiceStatus({ status }: Pick<InvoiceRowFragment, "status">): string {
  return invoiceStatuses[status as InvoiceStatus];
}

/** Shows the status of a row in its colour. */
export function InvoiceStatusBadge({ row }: { row: Pick<InvoiceRowFragment, "status"> }) {
  return (
    <Badge miw="max-content" color={colours[row.status as InvoiceStatus]}>
      {formatInvoiceStatus(row)}
    </Badge>
  );
}
