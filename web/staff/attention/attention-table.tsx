import { Anchor, Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { type AttentionListName, attentionLists } from "#schema/attention.ts";
import {
  type AttentionListQuery,
  useAttentionListQuery,
  useAcceptLicenceUseMutation,
  useAskAboutLicenceUseMutation,
} from "#web/generated/graphql.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { useOpenDialog, confirmAction } from "#web/ui/dialogs.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { attentionTexts, isAttentionList } from "./attention-texts.ts";
import { findLabel, toCode } from "#schema/closed-list.ts";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";
import { Link, useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconHistory, IconPencil, IconRefresh, IconBan, IconCheck, IconKey, IconMail } from "@tabler/icons-react";
import { ACCEPTED_DAYS } from "#schema/leaks.ts";
import { useReissueCode } from "#web/licensing/licences/use-reissue-code.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";

/** Returns a row's actions: retry a payment, edit the user and, for a licence, open its history. */
export function getRowActions(
  { user, licenceId }: { user: { id: string }; licenceId: string | null },
  onRetryPayment?: () => void,
) {
  return [
    ...(onRetryPayment ? [{ label: "Retry Payment", icon: IconRefresh, onSelect: onRetryPayment }] : []),
    { label: "Edit user", icon: IconPencil, to: paths.updateUser.href({ id: user.id }) },
    ...(licenceId
      ? [{ label: "View licence history", icon: IconHistory, to: paths.licenceHistory.href({ licenceId }) }]
      : []),
  ];
}

type Row = AttentionListQuery["attentionList"]["rows"][number];

type OfUser = Readonly<{
  user: { id: string; firstName: string; lastName: string; companyName: string; email: string };
}>;

/** Returns the name of a row's user. */
export const formatUserName = ({ user }: OfUser): string => `${user.firstName} ${user.lastName}`;

/** Columns with the name of a row's user, which links to the user, and their company and address. */
export const userColumns: readonly Column<OfUser>[] = [
  {
    title: "User",
    text: formatUserName,
    render: (row) => (
      <Anchor component={Link} inherit to={paths.updateUser.href({ id: row.user.id })}>
        {formatUserName(row)}
      </Anchor>
    ),
  },
  { title: "Company", text: ({ user }) => user.companyName },
  { title: "Email", text: ({ user }) => user.email, wrap: "anywhere" },
];

/** Additional columns of failed renewals. */
const paymentColumns: readonly Column<Row>[] = [
  moneyColumn("Amount", ({ amountCents }) => amountCents),
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  momentColumn("Next retry", ({ nextRetryAt }) => nextRetryAt, formatSellerDate),
];

/** Additional column of leaked licences. */
const leakColumns: readonly Column<Row>[] = [momentColumn("Customer asked", ({ leak }) => leak?.askedAt ?? null)];

const columns: readonly Column<Row>[] = [
  ...userColumns,
  { title: "What", text: ({ what }) => what },
  momentColumn("When", ({ at }) => at),
];

/** Lists the rows of an attention list, most urgent first. The API searches and paginates. */
function AttentionTable({ list }: { list: AttentionListName }) {
  const remote = useRemoteList(useUrlList({ sortable: false }));
  const { data, previousData, error, refetch } = useAttentionListQuery({
    variables: { list: toCode(attentionLists, list), filter: { search: remote.search }, ...remote.page },
  });
  const page = (data ?? previousData)?.attentionList;
  const { empty } = attentionTexts[list];
  const [isPayment, isLeak] = [list === "failed-renewals", list === "leaked-licences"];
  const reload = () => void refetch().catch(() => undefined);
  const getLeakActions = useLeakActions(reload);
  const openDialog = useOpenDialog();
  const retry = ({ subscriptionId }: Row) =>
    subscriptionId &&
    openDialog(() => import("#web/billing/subscriptions/subscription-action-dialog.tsx"), {
      subscription: { id: subscriptionId, status: "PAST_DUE" },
      kind: "RETRY_PAYMENT",
      onDone: reload,
    });
  return (
    <>
      <DataTable
        name={findLabel(attentionLists, list)}
        columns={[...columns, ...(isPayment ? paymentColumns : isLeak ? leakColumns : [])]}
        remote={remote.toTableList(page)}
        rows={page?.rows}
        rowId={({ id }) => id}
        rowLabel={formatUserName}
        actions={(row) => [
          ...(isLeak ? getLeakActions(row) : []),
          ...getRowActions(row, isPayment ? () => void retry(row) : undefined),
        ]}
        emptyMessage={empty}
        error={data ? undefined : error}
        failure="Unable to load the data."
        onRetry={refetch}
      />
      {page?.isTotalCapped && (
        <Text c="dimmed" fz="sm" mt="sm" role="status">
          This list shows the {formatNumber(page.total)} most urgent rows. More will appear as you resolve these.
        </Text>
      )}
    </>
  );
}

/** Shows one list of items that need attention. */
export default function AttentionPage() {
  const { list = "" } = useParams();
  const back = { to: paths.admin.href(), label: "Admin" };
  if (!isAttentionList(list))
    return (
      <PageLayout title={paths.attention.title} back={back}>
        <EmptyState message="We couldn't find this list." />
      </PageLayout>
    );
  return (
    <PageLayout title={findLabel(attentionLists, list)} lead={attentionTexts[list].lead} back={back}>
      <AttentionTable key={list} list={list} />
    </PageLayout>
  );
}

/** Returns what support can do about a licence whose code strangers seem to use. `onDone` reads the list again. */
function useLeakActions(onDone: () => void): (row: { user: { id: string }; licenceId: string | null }) => RowAction[] {
  const [ask] = useAskAboutLicenceUseMutation();
  const [accept] = useAcceptLicenceUseMutation();
  const reissueCode = useReissueCode();
  return ({ user, licenceId }) => {
    if (licenceId === null) return [];
    const licence = { userId: user.id, licenceId };
    const run = (action: (options: { variables: typeof licence }) => Promise<unknown>) => async () => {
      await action({ variables: licence });
      onDone();
    };
    return [
      {
        label: "Ask the customer",
        icon: IconMail,
        onSelect: () =>
          confirmAction({
            title: "Ask the customer",
            confirmLabel: "Send email",
            text: "An email tells the customer how many networks and machines use the licence, and asks whether that is their team. Nothing else changes.",
            failure: "Unable to ask the customer.",
            run: run(ask),
            success: "The customer has been asked.",
          }),
      },
      {
        label: "Accept the use",
        icon: IconCheck,
        onSelect: () =>
          confirmAction({
            title: "Accept the use",
            confirmLabel: "Accept",
            text: `For a customer who has explained the use. The licence leaves the list, and its use isn't measured for ${ACCEPTED_DAYS} days.`,
            failure: "Unable to accept the use.",
            run: run(accept),
            success: "The licence has left the list.",
          }),
      },
      { label: "Re-issue Code", icon: IconKey, onSelect: () => reissueCode(licence, onDone) },
      {
        label: "Deactivate licence",
        icon: IconBan,
        danger: true,
        to: `${paths.updateUser.href({ id: user.id })}?action=deactivate&on=${licenceId}`,
      },
    ];
  };
}
