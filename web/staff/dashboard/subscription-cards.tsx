import { formatNumber } from "#schema/numbers.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import { aud } from "#schema/money.ts";
import { BarChart } from "#web/ui/charts/bar-chart.tsx";
import type { CardProps } from "./dashboard.tsx";
import { Card, Figures } from "./dashboard-cards.tsx";
import { listHref } from "./dashboard-words.ts";
import { changeOf, Figure, percent } from "./figure.tsx";
import { keyTitleOf, sinceBefore, sinceStart } from "./period-choice.tsx";
import { ShareList } from "./share-list.tsx";

/** Shows active subscriptions and their monthly value by plan. */
export function RevenueCard({ data: { days, subscriptions } }: CardProps) {
  const { active, monthlyCents, plans, leaving, pastDue } = subscriptions;
  return (
    <Card title="Subscriptions" width="two" aside="AUD per month, without GST">
      <Figures>
        <Figure
          name="Monthly value"
          value={aud(monthlyCents.value)}
          to={listHref("subscriptions-active", days)}
          change={changeOf(monthlyCents, sinceStart(days), "up", aud)}
        />
        <Figure
          name="Active subscriptions"
          value={formatNumber(active.value)}
          to={listHref("subscriptions-active", days)}
          change={changeOf(active, sinceStart(days), "up")}
        />
        <Figure name="Cancelling" value={formatNumber(leaving)} to={listHref("subscriptions-leaving", days)} />
        <Figure name="Past due" value={formatNumber(pastDue)} to={listHref("subscriptions-past-due", days)} />
      </Figures>
      {plans.length > 0 && (
        <ShareList
          label="Monthly value by plan"
          shares={plans.map(({ planPrice, plan, interval, count, monthlyCents: cents }) => ({
            key: planPrice,
            name: `${plan}, ${interval}`,
            to: listHref("subscriptions-active", days, planPrice),
            share: monthlyCents.value === 0 ? 0 : cents / monthlyCents.value,
            aside: formatNumber(count),
            value: aud(cents),
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
          value={churn === null ? "–" : percent(churn)}
          to={listHref("subscriptions-ended", days)}
          hint={`${formatNumber(churned.value)} of ${formatNumber(activeAtStart)} ended${
            churnBefore === null ? "" : `, previous period: ${percent(churnBefore)}`
          }`}
        />
        <Figure
          name="Ended"
          value={formatNumber(ended.value)}
          to={listHref("subscriptions-ended", days)}
          change={changeOf(ended, sinceBefore(days), "down")}
        />
        <Figure
          name="New"
          value={formatNumber(begun.value)}
          to={listHref("subscriptions-begun", days)}
          change={changeOf(begun, sinceBefore(days), "up")}
        />
      </Figures>
      <BarChart
        label="Subscriptions ended"
        look="spark"
        height={96}
        tone="critical"
        keyTitle={keyTitleOf(days)}
        points={endedCourse.map(({ date, count }) => ({ key: date, label: formatDayAndMonth(date), value: count }))}
        emptySentence="No subscriptions ended."
      />
    </Card>
  );
}
