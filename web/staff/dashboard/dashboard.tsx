import { type DashboardQuery, useDashboardQuery } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";
import { formatSellerDate } from "#schema/dates.ts";
import { ActivityCard } from "./activity-card.tsx";
import { Cards, CardSkeletons } from "./dashboard-cards.tsx";
import { ExpiringCard, TrialsCard, VersionsCard } from "./licence-cards.tsx";
import { ChurnCard, RevenueCard } from "./subscription-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useSearchParams } from "react-router-dom";
import { vendorTimeName } from "#schema/days.ts";
import { readDays } from "./dashboard-texts.ts";
import { PeriodChoice } from "./period-choice.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

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
  const { behindSince } = shown.activity;
  return (
    <>
      {behindSince && (
        <Callout tone="notice">
          Activity since <Moment at={behindSince} as={formatSellerDate} /> is still being counted. Licence requests and
          versions are incomplete until then.
        </Callout>
      )}
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
