import { Badge, type MantineColor } from "@mantine/core";
import { findLabel } from "#schema/closed-list.ts";
import { invoiceStatuses } from "#schema/manual-invoice.ts";
import type { InvoiceRowFragment, InvoiceStatus } from "#web/generated/graphql.ts";

const colours: Readonly<Record<InvoiceStatus, MantineColor>> = {
  DRAFT: "gray",
  OPEN: "blue",
  OVERDUE: "red",
  PAID: "spruce",
  REFUNDED: "gray",
  VOID: "gray",
};

/** Returns the status of a row in words. */
export function formatInvoiceStatus({ status }: Pick<InvoiceRowFragment, "status">): string {
  return findLabel(invoiceStatuses, status);
}

/** Shows the status of a row in its colour. */
export function InvoiceStatusBadge({ row }: { row: Pick<InvoiceRowFragment, "status"> }) {
  return <Badge color={colours[row.status]}>{formatInvoiceStatus(row)}</Badge>;
}
