import { Badge } from "@mantine/core";
import { type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoices.ts";
import type { InvoiceRowFragment } from "#web/generated/graphql.ts";

// Without a colour, the badge has the colour of the theme.
const colours: Readonly<Record<InvoiceStatus, string | undefined>> = {
  draft: "gray",
  open: "blue",
  overdue: "red",
  paid: undefined,
  void: "gray",
};

/** Returns the status of a row in words. An adjustment note that refunds a payment is refunded. */
export function formatInvoiceStatus({ kind, status }: Pick<InvoiceRowFragment, "kind" | "status">): string {
  return kind === "adjustment" && status === "paid" ? "Refunded" : invoiceStatuses[status as InvoiceStatus];
}

/** Shows the status of a row in its colour. */
export function InvoiceStatusBadge({ row }: { row: Pick<InvoiceRowFragment, "kind" | "status"> }) {
  return (
    <Badge size="md" variant="light" miw="max-content" color={colours[row.status as InvoiceStatus]}>
      {formatInvoiceStatus(row)}
    </Badge>
  );
}
