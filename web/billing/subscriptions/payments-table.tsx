import { Badge } from "@mantine/core";
import { type PaymentsQuery, usePaymentsQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { formatSellerTableDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatCard, paymentStatuses } from "./payment-texts.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";
import { Section } from "#web/ui/page-layout.tsx";

/** Columns that are empty unless a payment failed. */
const failureTitles = ["Reason", "Next retry"];

/**
 * The customer's payments if one failed or was refunded, with the bank's reason and the next retry. Otherwise, the invoices
 * say the same. Shows nothing while they load, because most customers have no such payment.
 */
export default function PaymentsTable() {
  const { data, error, refetch } = usePaymentsQuery();
  const hasFailure = data?.paymentAttempts.some(({ reason, nextRetryAt }) => reason || nextRetryAt);
  if (data ? data.paymentAttempts.every(({ status }) => status === "PAID") : !error) return null;
  return (
    <Section title="Payments">
      <DataTable
        name="Payments"
        columns={hasFailure ? paymentColumns : paymentColumns.filter(({ title }) => !failureTitles.includes(title))}
        rows={data?.paymentAttempts}
        rowId={({ id }) => id}
        pageSize={10}
        toolsFrom={6}
        emptyMessage="No payments yet."
        error={data ? undefined : error}
        failure="Unable to load your payments."
        onRetry={refetch}
      />
    </Section>
  );
}

/** A payment in a list of the customer or staff. */
type ListedPayment = PaymentsQuery["paymentAttempts"][number] & {
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
    render: (payment) => <Badge color={paymentStatuses[payment.status].color}>{formatStatus(payment)}</Badge>,
  },
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  momentColumn("Next retry", ({ nextRetryAt }) => nextRetryAt, formatSellerTableDate),
];

function formatStatus({ status, refundedCents }: ListedPayment): string {
  return status === "PARTLY_REFUNDED" ? `${formatAud(refundedCents)} refunded` : paymentStatuses[status].label;
}
