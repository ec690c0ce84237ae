import { formatDay } from "#schema/dates.ts";
import { formatNumber } from "#schema/numbers.ts";
import { useSinceYesterdayQuery } from "#web/generated/graphql.ts";
import { type AppPath, paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { type CountTile, CountTiles } from "./count-tiles.tsx";

/** Counts what happened since the start of yesterday, each with a link to its list. */
export function SinceYesterday() {
  const query = useSinceYesterdayQuery();
  const session = useSession();
  const found = query.data?.sinceYesterday;
  const from = found?.firstDay ?? "";
  const since = found ? `since ${formatDay(found.firstDay)}` : "since yesterday";
  const { manageUsers, adminInvoices, dashboardList, attention, manageSoftware } = paths;
  const rows: readonly (CountTile & Pick<AppPath, "roles">)[] = [
    {
      ...count("New customers", since, found?.newCustomers),
      to: `${manageUsers.href()}?types=1,2&from=${from}`,
    },
    {
      ...count("Payments", "by card and by hand", found?.payments),
      to: `${adminInvoices.href()}?status=paid&from=${from}`,
    },
    {
      ...count("Cancellations", "not resumed", found?.cancellations),
      to: dashboardList.href({ list: "subscriptions-leaving" }),
    },
    {
      ...count("Failed payments", "refused charges", found?.failedPayments),
      to: attention.href({ list: "failed-renewals" }),
      isCritical: true,
      isNews: false,
    },
    { ...count("Builds", "published", found?.builds), to: manageSoftware.href(), roles: manageSoftware.roles },
  ];
  const tiles = rows.filter(({ roles }) => offersRole(roles, session));
  return (
    <CountTiles
      title="Since yesterday"
      query={query}
      failure="Unable to count what happened since yesterday."
      tiles={tiles}
    />
  );
}

function count(title: string, hint: string, found: number | undefined) {
  return { title, hint, isNews: true, count: found, shown: found === undefined ? undefined : formatNumber(found) };
}
