import { Badge } from "@mantine/core";
import { formatSellerTableDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { PaymentsQuery } from "#web/generated/graphql.ts";
import type { Column } from "#web/ui/table/data-table.tsx";
import { formatCard, getPaymentStatus } from "./payment-texts.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

/** A payment in a list of the customer or staff. */
export type ListedPayment = PaymentsQuery["paymentAttempts"][number] & {
  /** Method of a payment that isn't a charge of a subscription, such as `Bank transfer`. */
  readonly method?: string;
};

export const paymentColumns: readonly Column<ListedPayment>[] = [
  momentColumn("Date", ({ at }) => at, formatSellerTableDate),
  moneyColumn("Amount", ({ amountCents }) => amountCents),
  {
    title: "Method",
    text: ({ method, cardBrand, cardLast4 }) => method ?? formatCard(cardBrand, cardLast4),
    wrap: "never",
  },
  {
    title: "Status",
    text: formatStatus,
    render: (payment) => <Badge color={getPaymentStatus(payment.status).color}>{formatStatus(payment)}</Badge>,
  },
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  momentColumn("Next retry", ({ nextRetryAt }) => nextRetryAt, formatSellerTableDate),
];

function formatStatus({ status, refundedCents }: ListedPayment): string {
  const { label } = getPaymentStatus(status);
  return status === "PARTLY_REFUNDED" ? `${formatAud(refundedCents)} refunded` : label;
}
