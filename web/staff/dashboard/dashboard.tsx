import { type DashboardQuery, useDashboardQuery } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { formatSellerDate } from "#schema/dates.ts";
import { formatError } from "#web/platform/server-error.ts";
import { ActivityCard } from "./activity-card.tsx";
import { Cards, CardSkeletons } from "./dashboard-cards.tsx";
import { ExpiringCard, TrialsCard, VersionsCard } from "./licence-cards.tsx";
import { ChurnCard, RevenueCard } from "./subscription-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";

export interface CardProps {
  data: DashboardQuery["dashboard"];
}

/** Shows the key figures of the business. Each figure links to its list. */
export function Dashboard({ days }: { days: number }) {
  const { data, previousData, error, refetch } = useDashboardQuery({ variables: { days } });
  const shown = (data ?? previousData)?.dashboard;
  if (error && !data)
    return <ErrorState message={formatError(error, "Unable to load the dashboard.")} onRetry={() => void refetch()} />;
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
