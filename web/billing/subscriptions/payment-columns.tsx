import { Badge } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { formatTableDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { PaymentsQuery } from "#web/generated/graphql.ts";
import type { Column } from "#web/ui/table/data-table.tsx";
import { formatCard, getPaymentStatus } from "./payment-texts.ts";

/** A payment in a list of the customer or staff. */
export type ListedPayment = PaymentsQuery["paymentAttempts"][number] & {
  /** Method of a payment that isn't a charge of a subscription, such as `Bank transfer`. */
  readonly method?: string;
};

const formatDay = (at: string | null | undefined) => (at ? formatTableDate(at, brand.timeZone) : "");

export const paymentColumns: readonly Column<ListedPayment>[] = [
  { title: "Date", text: ({ at }) => formatDay(at), sortBy: ({ at }) => at, wrap: "never" },
  {
    title: "Amount",
    text: ({ amountCents }) => formatAud(amountCents),
    sortBy: ({ amountCents }) => amountCents,
    align: "right",
    wrap: "never",
  },
  {
    title: "Method",
    text: ({ method, cardBrand, cardLast4 }) => method ?? formatCard(cardBrand, cardLast4),
    wrap: "never",
  },
  {
    title: "Status",
    text: formatStatus,
    render: (payment) => (
      <Badge color={getPaymentStatus(payment.status).color} miw="max-content">
        {formatStatus(payment)}
      </Badge>
    ),
  },
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  { title: "Next retry", text: ({ nextRetryAt }) => formatDay(nextRetryAt), wrap: "never" },
];

function formatStatus({ status, refundedCents }: ListedPayment): string {
  const { label } = getPaymentStatus(status);
  return status === "PARTLY_REFUNDED" ? `${formatAud(refundedCents)} refunded` : label;
}
