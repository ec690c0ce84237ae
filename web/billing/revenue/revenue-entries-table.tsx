import { findLabel, toCode } from "#schema/closed-list.ts";
import { moneyFigureList, type MoneyFigureName } from "#schema/money-report.ts";
import { EntriesTable } from "#web/billing/tax/entries-table.tsx";
import type { TaxPeriod } from "#web/billing/tax/tax-periods.ts";
import { useMoneyEntriesQuery } from "#web/generated/graphql.ts";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";

/** Lists the rows that add up to a figure of the revenue report. */
export function RevenueEntriesTable({ figure, period }: { figure: MoneyFigureName; period: TaxPeriod }) {
  const body = { figure, startDate: period.startDate, endDate: period.endDate };
  const remote = useRemoteList(useUrlList({ sortable: false }), { queryKey: Object.values(body).join(" ") });
  const { data, previousData, error, refetch } = useMoneyEntriesQuery({
    variables: {
      ...body,
      figure: toCode(moneyFigureList, figure),
      filter: { search: remote.search },
      ...remote.page,
    },
    fetchPolicy: "cache-and-network",
  });
  return (
    <EntriesTable
      name={findLabel(moneyFigureList, figure)}
      dateTitle="Date"
      remote={remote}
      page={(data ?? previousData)?.moneyEntries}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      file={{ path: "/v1/reports/download-revenue", body }}
      emptyMessage="No rows in this period."
    />
  );
}
