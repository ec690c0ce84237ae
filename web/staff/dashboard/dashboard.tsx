import { type DashboardQuery, useDashboardQuery } from "#web/generated/graphql.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import {
  Cards,
  CardSkeletons,
  Card,
  Figures,
  PeriodChoice,
  getBarTitle,
  Count,
  CountingNotice,
  formatSinceStart,
} from "./dashboard-cards.tsx";
import { ExpiringCard, TrialsCard, VersionsCard } from "./licence-cards.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useSearchParams } from "react-router-dom";
import { vendorTimeName } from "#schema/days.ts";
import { readDays, buildListHref } from "./dashboard-texts.ts";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SimpleGrid, Stack } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { BarChart } from "#web/staff/charts/bar-chart.tsx";
import { compareFigure, Figure, formatPercent } from "./figure.tsx";
import { formatAud } from "#schema/money.ts";
import { ShareList } from "./share-list.tsx";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { toValue } from "#schema/closed-list.ts";

export interface CardProps {
  data: DashboardQuery["dashboard"];
}

/** Shows the key figures of the business. Each figure links to its list. */
export function Dashboard({ days }: { days: number }) {
  const query = useDashboardQuery({ variables: { days } });
  const { data, previousData, error } = query;
  const shown = (data ?? previousData)?.dashboard;
  if (error && !data) return <Loaded query={query} failure="Unable to load the dashboard." />;
  if (!shown)
    return (
      <Cards busy>
        <CardSkeletons />
      </Cards>
    );
  return (
    <>
      <CountingNotice {...shown.activity} />
      <Cards busy={!data}>
        <RevenueCard data={shown} />
        <ChurnCard data={shown} />
        <TrialsCard data={shown} />
        <ExpiringCard data={shown} />
        <ActivityCard data={shown} />
        <VersionsCard data={shown} />
      </Cards>
    </>
  );
}

/** Dashboard page. The URL contains the period. */
export default function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const days = readDays(params);
  return (
    <PageLayout
      title={paths.dashboard.title}
      lead={`Select a figure to see its records. Days are in ${vendorTimeName}. Figures include today so far.`}
      actions={<PeriodChoice days={days} onChoose={(value) => setParams({ days: String(value) }, { replace: true })} />}
    >
      <Dashboard days={days} />
    </PageLayout>
  );
}

const kinds = [
  { of: "activations", name: "Activations", list: "activity", good: "up" },
  { of: "validations", name: "Validations", list: "activity", good: "up" },
  { of: "refusals", name: "Refusals", list: "activity", good: "down" },
  { of: "blocked", name: "Blocked attempts", list: "blocked-attempts", good: "down" },
] as const;

/** Shows licence requests from add-ins and their results. */
function ActivityCard({ data: { days, activity } }: CardProps) {
  return (
    <Card title="Licence requests" width="wide" aside={days <= 31 ? "By day" : "By week"}>
      <SimpleGrid minColWidth="min(100%, 13rem)" autoFlow="auto-fit" spacing="xl">
        {kinds.map(({ of, name, list, good }) => (
          <Stack key={of} gap="md" miw={0}>
            <Count
              {...{ name, list, days, good }}
              count={activity[of]}
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

/** Shows active subscriptions and their monthly value by plan. */
function RevenueCard({ data: { days, subscriptions } }: CardProps) {
  const { active, monthlyCents, plans, leaving, pastDue } = subscriptions;
  return (
    <Card title="Subscriptions" width="two" aside="AUD per month, without GST">
      <Figures>
        <Figure
          name="Monthly value"
          value={formatAud(monthlyCents.value)}
          to={buildListHref("subscriptions-active", days)}
          change={compareFigure(monthlyCents, formatSinceStart(days), "up", formatAud)}
        />
        <Figure
          name="Active subscriptions"
          value={formatNumber(active.value)}
          to={buildListHref("subscriptions-active", days)}
          change={compareFigure(active, formatSinceStart(days), "up")}
        />
        <Figure name="Cancelling" value={formatNumber(leaving)} to={buildListHref("subscriptions-leaving", days)} />
        <Figure name="Past due" value={formatNumber(pastDue)} to={buildListHref("subscriptions-past-due", days)} />
      </Figures>
      {plans.length > 0 && (
        <ShareList
          label="Monthly value by plan"
          shares={plans.map(({ planPrice, plan, interval, count, monthlyCents: cents }) => ({
            key: planPrice,
            name: `${plan}, ${toValue(billingIntervals, interval)}`,
            to: buildListHref("subscriptions-active", days, planPrice),
            share: monthlyCents.value === 0 ? 0 : cents / monthlyCents.value,
            aside: formatNumber(count),
            value: formatAud(cents),
          }))}
        />
      )}
    </Card>
  );
}

/** Shows the churn rate and the subscriptions that ended and started. */
function ChurnCard({ data: { days, subscriptions } }: CardProps) {
  const { ended, begun, churned, activeAtStart, activeAtStartBefore, endedCourse } = subscriptions;
  const churn = activeAtStart === 0 ? null : churned.value / activeAtStart;
  const churnBefore = activeAtStartBefore === 0 ? null : churned.before / activeAtStartBefore;
  return (
    <Card title="Churn" width="one">
      <Figures>
        <Figure
          name="Churn rate"
          value={churn === null ? "–" : formatPercent(churn)}
          to={buildListHref("subscriptions-ended", days)}
          hint={`${formatNumber(churned.value)} of ${formatNumber(activeAtStart)} ended${
            churnBefore === null ? "" : `, previous period: ${formatPercent(churnBefore)}`
          }`}
        />
        <Count name="Ended" count={ended} list="subscriptions-ended" days={days} good="down" />
        <Count name="New" count={begun} list="subscriptions-begun" days={days} good="up" />
      </Figures>
      <BarChart
        label="Subscriptions ended"
        look="spark"
        height={96}
        tone="critical"
        keyTitle={getBarTitle(days)}
        points={endedCourse.map(({ date, count }) => ({ key: date, label: formatDayAndMonth(date), value: count }))}
        emptyMessage="No subscriptions ended."
      />
    </Card>
  );
}
