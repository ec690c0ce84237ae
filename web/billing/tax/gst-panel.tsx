import { Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { findEntry, findLabel, toCode } from "#schema/closed-list.ts";
import { taxBases, type TaxBasis, taxFigureList, type TaxFigureName } from "#schema/tax.ts";
import { useTaxSummaryQuery } from "#web/generated/graphql.ts";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { DownloadMenu, fileFormats } from "./download-menu.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { TaxEntriesTable } from "./tax-entries-table.tsx";
import { formatTaxPeriod } from "./tax-periods.ts";
import { TaxSummaryTable } from "./tax-summary-table.tsx";
import type { TaxAddress } from "./use-tax-address.ts";

/** Shows the GST summary of a period and the rows of one figure. */
export function GstPanel({ address }: { address: TaxAddress }) {
  const { params, period, now, change, buildHref } = address;
  const basis: TaxBasis = findEntry(taxBases, params.get("basis"))?.value ?? "accrual";
  const figure: TaxFigureName = findEntry(taxFigureList, params.get("figure"))?.value ?? "total-sales";
  const query = useTaxSummaryQuery({
    variables: { ...period, basis: toCode(taxBases, basis) },
    fetchPolicy: "cache-and-network",
  });
  const { data, previousData, error } = query;
  const figures = (data ?? (error ? undefined : previousData))?.taxSummary;
  const download = useReportDownload();

  return (
    <>
      <Group align="flex-end" justify="space-between" gap="md">
        <Group align="flex-end" gap="md">
          <PeriodPicker
            period={period}
            now={now}
            onChange={({ startDate, endDate }) => change({ start: startDate, end: endDate })}
          />
          <SegmentedControl
            aria-label="Basis"
            value={basis}
            onChange={(value) => change({ basis: value })}
            data={taxBases.map(({ value, label }) => ({ value, label }))}
          />
        </Group>
        <DownloadMenu
          label="Export summary"
          choices={fileFormats}
          onChoose={(format) =>
            download.start("Exporting the summary", "/v1/reports/download-tax", { ...period, basis, format })
          }
        />
      </Group>
      <ReportProgress download={download} />
      {figures ? (
        <section aria-label="GST summary" aria-busy={!data || undefined}>
          <TaxSummaryTable
            figures={figures}
            current={figure}
            buildHref={(name) => buildHref({ figure: name, q: null })}
          />
          <Text c="dimmed" fz="sm" mt="xs">
            {basis === "accrual"
              ? "Counts documents by their date of issue."
              : "Counts payments by the date they were received, and refunds by their date."}{" "}
            Adjustments are negative, and the GST on them at 1B is positive, as on the statement.
          </Text>
        </section>
      ) : (
        <Loaded query={query} failure="Unable to load the GST summary." loading="Loading the GST summary" tall />
      )}
      <Stack component="section" gap="sm" aria-labelledby="tax-rows">
        <Title order={2} size="h3" id="tax-rows">
          {findLabel(taxFigureList, figure)}, {formatTaxPeriod(period)}
        </Title>
        <TaxEntriesTable key={figure} figure={figure} period={period} basis={basis} />
      </Stack>
    </>
  );
}
