import { formatNumber } from "#schema/numbers.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { BarChart } from "#web/staff/charts/bar-chart.tsx";
import type { CardProps } from "./dashboard.tsx";
import { Card, Figures } from "./dashboard-cards.tsx";
import { buildListHref } from "./dashboard-texts.ts";
import { compareFigure, Figure, formatPercent } from "./figure.tsx";
import { getBarTitle, formatSincePrevious, formatSinceStart } from "./period-choice.tsx";
import { ShareList } from "./share-list.tsx";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { toValue } from "#schema/closed-list.ts";

/** Shows active subscriptions and their monthly value by plan. */
export function RevenueCard({ data: { days, subscriptions } }: CardProps) {
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
export function ChurnCard({ data: { days, subscriptions } }: CardProps) {
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
        <Figure
          name="Ended"
          value={formatNumber(ended.value)}
          to={buildListHref("subscriptions-ended", days)}
          change={compareFigure(ended, formatSincePrevious(days), "down")}
        />
        <Figure
          name="New"
          value={formatNumber(begun.value)}
          to={buildListHref("subscriptions-begun", days)}
          change={compareFigure(begun, formatSincePrevious(days), "up")}
        />
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
