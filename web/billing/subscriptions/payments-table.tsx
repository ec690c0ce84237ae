import { Title } from "@mantine/core";
import { usePaymentsQuery } from "#web/generated/graphql.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { paymentColumns } from "./payment-columns.tsx";

/** Columns that are empty unless a payment failed. */
const failureTitles = ["Reason", "Next retry"];

/**
 * The customer's payments if one failed or was refunded, with the bank's reason and the next retry. Otherwise, the invoices
 * say the same.
 */
export default function PaymentsTable() {
  const { data, error, refetch } = usePaymentsQuery();
  const hasFailure = data?.paymentAttempts.some(({ reason, nextRetryAt }) => reason || nextRetryAt);
  if (data?.paymentAttempts.every(({ status }) => status === "PAID")) return null;
  return (
    <section aria-labelledby="payments">
      <Title order={2} fz="h3" mt="xl" mb="sm" id="payments">
        Payments
      </Title>
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
        onRetry={() => void refetch().catch(() => undefined)}
      />
    </section>
  );
}
