import { useParams, useSearchParams } from "react-router-dom";
import { vendorTimeName } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { readDays, isDashboardList, formatPeriod, buildReportHref, dashboardListTexts } from "./dashboard-texts.ts";
import { CountingNotice } from "./dashboard-cards.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { type DashboardListName, dashboardLists } from "#schema/dashboard.ts";
import { formatUserName, getRowActions, userColumns } from "#web/staff/attention/attention-table.tsx";
import {
  type DashboardListQuery,
  useDashboardListQuery,
  type ActivityDaysQuery,
  useActivityDaysQuery,
} from "#web/generated/graphql.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { findLabel, toCode } from "#schema/closed-list.ts";
import { momentColumn } from "#web/ui/table/columns.tsx";
import { Group, Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { formatTableDay } from "#schema/dates.ts";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";

/** Type of the report on validations and activations. */
const ACTIVITY_REPORT = 6;

/** Page listing the records counted by a dashboard figure. */
export default function DashboardListPage() {
  const { list = "" } = useParams();
  const [params] = useSearchParams();
  const days = readDays(params);
  const only = params.get("only") ?? undefined;
  const back = { to: `${paths.dashboard.href()}?days=${days}`, label: "Dashboard" };
  const renderReportLink = (type: number) => (
    <ForStaffRole has="finance">
      <LinkButton variant="default" to={buildReportHref(type, days)}>
        Open as report
      </LinkButton>
    </ForStaffRole>
  );
  if (list === "activity")
    return (
      <PageLayout
        title="Activity by day"
        lead={`Licence requests of add-ins in the ${formatPeriod(days)}, latest day first. Days are in ${vendorTimeName}.`}
        back={back}
        actions={renderReportLink(ACTIVITY_REPORT)}
      >
        <ActivityTable days={days} />
      </PageLayout>
    );
  if (!isDashboardList(list))
    return (
      <PageLayout title={paths.dashboardList.title} back={back}>
        <EmptyState message="This list doesn't exist." />
      </PageLayout>
    );
  const { lead, reportType } = dashboardListTexts[list];
  return (
    <PageLayout
      title={findLabel(dashboardLists, list)}
      lead={`${lead.replace("{period}", formatPeriod(days))}${only ? ` Filtered by ${formatPlanPrices([only]) || only}.` : ""}`}
      back={back}
      actions={reportType && renderReportLink(reportType)}
    >
      <DashboardListTable key={list} list={list} days={days} only={only} />
    </PageLayout>
  );
}

type Row = DashboardListQuery["dashboardList"]["rows"][number];

/** Lists the records that a figure counts. Search and paging happen on the server. */
function DashboardListTable(props: { list: DashboardListName; days: number; only?: string | undefined }) {
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
  const { empty, when } = dashboardListTexts[list];
  return (
    <DataTable<Row>
      name={findLabel(dashboardLists, list)}
      columns={[...userColumns, { title: "Details", text: ({ what }) => what }, momentColumn(when, ({ at }) => at)]}
      remote={remote.toTableList(page)}
      rows={page?.rows}
      rowId={({ id }) => id}
      rowLabel={formatUserName}
      actions={getRowActions}
      emptyMessage={empty}
      error={data ? undefined : error}
      failure="Unable to load the data."
      onRetry={refetch}
    />
  );
}

type Day = ActivityDaysQuery["dashboard"]["activity"]["days"][number];

const kinds = [
  ["Activations", "activations"],
  ["Validations", "validations"],
  ["Refusals", "refusals"],
  ["Blocked", "blocked"],
] as const;

/** Lists licence requests by day, with the totals shown on the dashboard. */
function ActivityTable({ days }: { days: number }) {
  const { data, previousData, error, refetch } = useActivityDaysQuery({ variables: { days } });
  const activity = (data ?? previousData)?.dashboard.activity;
  const rows = activity?.days;
  return (
    <>
      {activity && <CountingNotice {...activity} />}
      {rows && (
        <Group component="dl" gap="1rem 2.5rem" mt={0} mb="lg" aria-label={`In the ${formatPeriod(days)}`}>
          {kinds.map(([title, of]) => (
            <div key={of}>
              <Text component="dt" c="dimmed" fz="sm" fw={560}>
                {title}
              </Text>
              <Text component="dd" m={0} fz="xl" fw={640} lh={1.25}>
                {formatNumber(rows.reduce((sum, day) => sum + day[of], 0))}
              </Text>
            </div>
          ))}
        </Group>
      )}
      <DataTable<Day>
        name="Activity by day"
        columns={[
          { title: "Day", text: ({ date }) => formatTableDay(date), sortBy: ({ date }) => date, wrap: "never" },
          ...kinds.map(([title, of]) => ({
            title,
            text: (day: Day) => formatNumber(day[of]),
            sortBy: (day: Day) => day[of],
            align: "right" as const,
          })),
        ]}
        rows={rows}
        rowId={({ date }) => date}
        pageSize={50}
        emptyMessage="No requests in this period."
        error={data ? undefined : error}
        failure="Unable to load the data."
        onRetry={refetch}
      />
    </>
  );
}
