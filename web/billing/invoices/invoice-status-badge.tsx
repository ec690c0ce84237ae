import { Badge, type MantineColor } from "@mantine/core";
import { type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoices.ts";
import type { InvoiceRowFragment } from "#web/generated/graphql.ts";

const colours: Readonly<Record<InvoiceStatus, MantineColor>> = {
  draft: "gray",
  open: "blue",
  overdue: "red",
  paid: "spruce",
  void: "gray",
};

/** Returns the status of a row in words. An adjustment note that refunds a payment is refunded. */
export function formatInvoiceStatus({ kind, status }: Pick<InvoiceRowFragment, "kind" | "status">): string {
  return kind === "adjustment" && status === "paid" ? "Refunded" : invoiceStatuses[status as InvoiceStatus];
}

/** Shows the status of a row in its colour. */
export function InvoiceStatusBadge({ row }: { row: Pick<InvoiceRowFragment, "kind" | "status"> }) {
  return (
    <Badge miw="max-content" color={colours[row.status as InvoiceStatus]}>
      {formatInvoiceStatus(row)}
    </Badge>
  );
}
