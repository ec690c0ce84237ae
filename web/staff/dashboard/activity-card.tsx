import { SimpleGrid, Stack } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import type { DashboardListName } from "#schema/dashboard.ts";
import { BarChart } from "#web/staff/charts/bar-chart.tsx";
import type { CardProps } from "./dashboard.tsx";
import { Card } from "./dashboard-cards.tsx";
import { buildListHref } from "./dashboard-texts.ts";
import { compareFigure, Figure } from "./figure.tsx";
import { getBarTitle, formatSincePrevious } from "./period-choice.tsx";

const kinds: readonly {
  of: "activations" | "validations" | "refusals" | "blocked";
  name: string;
  list: DashboardListName | "activity";
  good: "up" | "down" | null;
}[] = [
  { of: "activations", name: "Activations", list: "activity", good: "up" },
  { of: "validations", name: "Validations", list: "activity", good: "up" },
  { of: "refusals", name: "Refusals", list: "activity", good: "down" },
  { of: "blocked", name: "Blocked attempts", list: "blocked-attempts", good: "down" },
];

/** Shows licence requests from add-ins and their results. */
export function ActivityCard({ data: { days, activity } }: CardProps) {
  return (
    <Card title="Licence requests" width="wide" aside={days <= 31 ? "By day" : "By week"}>
      <SimpleGrid minColWidth="min(100%, 13rem)" autoFlow="auto-fit" spacing="xl">
        {kinds.map(({ of, name, list, good }) => (
          <Stack key={of} gap="md" miw={0}>
            <Figure
              name={name}
              value={formatNumber(activity[of].value)}
              to={buildListHref(list, days)}
              change={compareFigure(activity[of], formatSincePrevious(days), good)}
              hint={formatDailyAverage(activity[of].value, days)}
            />
            <BarChart
              label={`${name} per ${days <= 31 ? "day" : "week"}`}
              look="spark"
              height={72}
              tone={good === "down" ? "critical" : "calm"}
              keyTitle={getBarTitle(days)}
              points={activity.course.map((part) => ({
                key: part.date,
                label: formatDayAndMonth(part.date),
                value: part[of],
              }))}
              emptyMessage="None."
            />
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function formatDailyAverage(value: number, days: number): string {
  const average = value / days;
  return `${formatNumber(average, average < 10 ? 1 : 0)} per day`;
}
