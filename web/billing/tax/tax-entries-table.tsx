import { findLabel, toCode } from "#schema/closed-list.ts";
import { taxBases, type TaxBasis, taxFigureList, type TaxFigureName } from "#schema/tax.ts";
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
  const body = { figure, startDate, endDate, basis };
  const remote = useRemoteList(useUrlList({ sortable: false }), { queryKey: Object.values(body).join(" ") });
  const { data, previousData, error, refetch } = useTaxEntriesQuery({
    variables: {
      ...body,
      figure: toCode(taxFigureList, figure),
      basis: toCode(taxBases, basis),
      filter: { search: remote.search },
      ...remote.page,
    },
    fetchPolicy: "cache-and-network",
  });
  return (
    <EntriesTable
      name={findLabel(taxFigureList, figure)}
      dateTitle={basis === "cash" ? "Paid" : "Issued"}
      remote={remote}
      page={(data ?? previousData)?.taxEntries}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      file={{ path: "/v1/reports/download-tax", body }}
      emptyMessage="No documents in this period."
    />
  );
}
