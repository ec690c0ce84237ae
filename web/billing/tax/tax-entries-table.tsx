import { type TaxBasis, type TaxFigureName, taxFigureTexts } from "#schema/tax.ts";
import { useTaxEntriesQuery } from "#web/generated/graphql.ts";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { EntriesTable } from "./entries-table.tsx";
import type { TaxPeriod } from "./tax-periods.ts";

export interface TaxEntriesTableProps {
  figure: TaxFigureName;
  period: TaxPeriod;
  basis: TaxBasis;
}

/** Lists the rows that add up to a figure of the GST summary. */
export function TaxEntriesTable({ figure, period, basis }: TaxEntriesTableProps) {
  const { startDate, endDate } = period;
  const variables = { figure, startDate, endDate, basis };
  const remote = useRemoteList(useUrlList({ sortable: false }), { queryKey: Object.values(variables).join(" ") });
  const { data, previousData, error, refetch } = useTaxEntriesQuery({
    variables: { ...variables, filter: remote.filter },
    fetchPolicy: "cache-and-network",
  });
  return (
    <EntriesTable
      name={taxFigureTexts[figure].label}
      dateTitle={basis === "cash" ? "Paid" : "Issued"}
      remote={remote}
      page={(data ?? previousData)?.taxEntries}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      file={{ path: "/v1/reports/download-tax", body: variables }}
      emptyMessage="No documents in this period."
    />
  );
}
