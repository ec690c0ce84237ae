import { type DashboardListName, dashboardLists } from "#schema/dashboard.ts";
import { getRowActions } from "#web/staff/attention/attention-table.tsx";
import { type DashboardListQuery, useDashboardListQuery } from "#web/generated/graphql.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { dashboardListTexts } from "./dashboard-texts.ts";
import { toCode } from "#schema/closed-list.ts";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

type Row = DashboardListQuery["dashboardList"]["rows"][number];

const formatUserName = ({ user }: Row) => `${user.firstName} ${user.lastName}`;

/** Lists the records that a figure counts. Search and paging happen on the server. */
export function DashboardListTable(props: { list: DashboardListName; days: number; only?: string | undefined }) {
  const { list, days, only } = props;
  const remote = useRemoteList(useUrlList({ sortable: false }), { queryKey: `${list} ${days} ${only}` });
  const { data, previousData, error, refetch } = useDashboardListQuery({
    variables: {
      list: toCode(dashboardLists, list),
      days,
      filter: { search: remote.search, only: only ?? null },
      ...remote.page,
    },
  });
  const page = (data ?? previousData)?.dashboardList;
  const { title, empty, when } = dashboardListTexts[list];
  return (
    <DataTable<Row>
      name={title}
      columns={[
        { title: "User", text: formatUserName },
        { title: "Company", text: ({ user }) => user.companyName },
        { title: "Email", text: ({ user }) => user.email, wrap: "anywhere" },
        { title: "Details", text: ({ what }) => what },
        momentColumn(when, ({ at }) => at),
      ]}
      remote={remote.toTableList(page)}
      rows={page?.rows}
      rowId={({ id }) => id}
      rowLabel={formatUserName}
      actions={getRowActions}
      emptyMessage={empty}
      error={data ? undefined : error}
      failure="Unable to load the data."
      onRetry={() => void refetch()}
    />
  );
}
