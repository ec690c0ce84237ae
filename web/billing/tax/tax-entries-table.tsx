import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { type TaxBasis, type TaxFigureName, taxFigureTexts } from "#schema/tax.ts";
import { type TaxEntriesQuery, useTaxEntriesQuery } from "#web/generated/graphql.ts";
import { useRemoteList } from "#web/lists/use-remote-list.ts";
import { useUrlList } from "#web/lists/use-url-list.ts";
import { paths } from "#web/platform/paths.ts";
import { formatError } from "#web/platform/server-error.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { DownloadMenu } from "./download-menu.tsx";
import type { TaxPeriod } from "./tax-periods.ts";

type Row = TaxEntriesQuery["taxEntries"]["rows"][number];

export interface TaxEntriesTableProps {
  figure: TaxFigureName;
  period: TaxPeriod;
  basis: TaxBasis;
}

/** Lists the rows that add up to a figure, with their sum. */
export function TaxEntriesTable({ figure, period, basis }: TaxEntriesTableProps) {
  const list = useUrlList({ sortable: false });
  const { startDate, endDate } = period;
  const remote = useRemoteList(list, { queryKey: `${figure} ${startDate} ${endDate} ${basis}` });
  const { data, previousData, error, refetch } = useTaxEntriesQuery({
    variables: { figure, startDate, endDate, basis, filter: remote.filter },
    fetchPolicy: "cache-and-network",
  });
  const download = useReportDownload();
  const page = (data ?? previousData)?.taxEntries;
  const { label } = taxFigureTexts[figure];
  const search = remote.filter.search;
  return (
    <>
      <DataTable<Row>
        name={label}
        columns={[
          {
            title: basis === "cash" ? "Paid" : "Issued",
            text: ({ at }) => formatDate(at, brand.timeZone),
            wrap: "never",
          },
          {
            title: "Number",
            text: ({ number }) => number,
            wrap: "never",
            render: ({ number, userId }) => (
              <Anchor component={Link} inherit to={`${paths.updateUser.href({ id: userId })}?tab=billing`}>
                {number}
              </Anchor>
            ),
          },
          { title: "Document", text: ({ kind }) => (kind === "invoice" ? "Tax invoice" : "Adjustment note") },
          { title: "Customer", text: ({ customer }) => customer },
          { title: "Description", text: ({ description }) => description },
          { title: "Total", text: ({ totalCents }) => formatAud(totalCents), align: "right", wrap: "never" },
          { title: "GST", text: ({ gstCents }) => formatAud(gstCents), align: "right", wrap: "never" },
          { title: "Counted", text: ({ amountCents }) => formatAud(amountCents), align: "right", wrap: "never" },
        ]}
        remote={remote.toTableList(page)}
        rows={page?.rows}
        rowId={({ id, at }) => `${id} ${at}`}
        emptyMessage="No documents in this period."
        toolbar={
          <Group gap="md">
            <Text fw={600} role="status">
              {page ? `Sum: ${formatAud(page.sumCents)}` : ""}
            </Text>
            <DownloadMenu
              label="Export these rows"
              onChoose={(format) =>
                download.start("Exporting the rows", "/v1/reports/download-tax", {
                  figure,
                  basis,
                  startDate,
                  endDate,
                  format,
                  ...(search ? { search } : {}),
                })
              }
            />
          </Group>
        }
        error={error && !data ? formatError(error, "Unable to load the rows.") : undefined}
        onRetry={() => void refetch()}
      />
      <ReportProgress download={download} />
    </>
  );
}
