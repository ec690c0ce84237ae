import { Group, Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { formatTableDay } from "#schema/dates.ts";
import { type ActivityDaysQuery, useActivityDaysQuery } from "#web/generated/graphql.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { formatPeriod } from "./dashboard-texts.ts";

type Day = ActivityDaysQuery["dashboard"]["activity"]["days"][number];

const kinds = [
  ["Activations", "activations"],
  ["Validations", "validations"],
  ["Refusals", "refusals"],
  ["Blocked", "blocked"],
] as const;

/** Lists licence requests by day, with the totals shown on the dashboard. */
export function ActivityTable({ days }: { days: number }) {
  const { data, previousData, error, refetch } = useActivityDaysQuery({ variables: { days } });
  const rows = (data ?? previousData)?.dashboard.activity.days;
  return (
    <>
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
        onRetry={() => void refetch()}
      />
    </>
  );
}
