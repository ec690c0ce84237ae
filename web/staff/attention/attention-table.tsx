import { Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { type AttentionListName, attentionLists } from "#schema/attention.ts";
import { type AttentionListQuery, useAttentionListQuery } from "#web/generated/graphql.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { getRowActions } from "./row-actions.tsx";
import { attentionTexts } from "./attention-texts.ts";
import { toCode } from "#schema/closed-list.ts";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

type Row = AttentionListQuery["attentionList"]["rows"][number];

const formatUserName = ({ user }: Row) => `${user.firstName} ${user.lastName}`;

/** Additional columns of failed renewals. */
const paymentColumns: readonly Column<Row>[] = [
  {
    title: "Amount",
    text: ({ amountCents }) => (amountCents === null ? "" : formatAud(amountCents)),
    align: "right",
    wrap: "never",
  },
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  momentColumn("Next retry", ({ nextRetryAt }) => nextRetryAt, formatSellerDate),
];

const columns: readonly Column<Row>[] = [
  { title: "User", text: formatUserName },
  { title: "Company", text: ({ user }) => user.companyName },
  { title: "Email", text: ({ user }) => user.email, wrap: "anywhere" },
  { title: "What", text: ({ what }) => what },
  momentColumn("When", ({ at }) => at),
];

/** Lists the rows of an attention list, most urgent first. The API searches and paginates. */
export function AttentionTable({ list }: { list: AttentionListName }) {
  const remote = useRemoteList(useUrlList({ sortable: false }));
  const { data, previousData, error, refetch } = useAttentionListQuery({
    variables: { list: toCode(attentionLists, list), filter: { search: remote.search }, ...remote.page },
  });
  const page = (data ?? previousData)?.attentionList;
  const { title, empty } = attentionTexts[list];
  const isPayment = list === "failed-renewals";
  const [isFinance, isSupport] = [useStaffRole("finance"), useStaffRole("support")];
  const canRetry = isFinance || isSupport;
  const openDialog = useOpenDialog();
  const retry = ({ subscriptionId }: Row) =>
    subscriptionId &&
    openDialog(() => import("#web/billing/subscriptions/subscription-action-dialog.tsx"), {
      subscription: { id: subscriptionId, status: "PAST_DUE", licenceExpiresAt: "" },
      kind: "RETRY_PAYMENT",
      onDone: () => void refetch(),
    });
  return (
    <>
      <DataTable
        name={title}
        columns={isPayment ? [...columns, ...paymentColumns] : columns}
        remote={remote.toTableList(page)}
        rows={page?.rows}
        rowId={({ id }) => id}
        rowLabel={formatUserName}
        actions={(row) => getRowActions(row, isPayment && canRetry ? () => void retry(row) : undefined)}
        emptyMessage={empty}
        error={data ? undefined : error}
        failure="Unable to load the data."
        onRetry={() => void refetch()}
      />
      {page?.isTotalCapped && (
        <Text c="dimmed" fz="sm" mt="sm" role="status">
          This list shows the {formatNumber(page.total)} most urgent rows. More will appear as you resolve these.
        </Text>
      )}
    </>
  );
}
