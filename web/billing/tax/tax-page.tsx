import { Group, NativeSelect, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import {
  taxBases,
  type TaxBasis,
  taxBasisLabels,
  type TaxFigureName,
  taxFigureNames,
  taxFigureTexts,
} from "#schema/tax.ts";
import { useTaxSummaryQuery } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { LoadingBlock } from "#web/public-ui/loading-block.tsx";
import { ErrorState } from "#web/public-ui/message-state.tsx";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { DownloadMenu } from "./download-menu.tsx";
import { TaxEntriesTable } from "./tax-entries-table.tsx";
import {
  findPeriodLength,
  formatTaxPeriod,
  listTaxPeriods,
  type PeriodLength,
  periodLengths,
  readTaxPeriod,
  type TaxPeriod,
} from "./tax-periods.ts";
import { TaxSummaryTable } from "./tax-summary-table.tsx";

const toKey = ({ startDate, endDate }: TaxPeriod) => `${startDate} ${endDate}`;

/** Shows the GST summary of a period and the rows of one figure. The URL contains the period, basis and figure. */
export function TaxPage() {
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => new Date());
  const period = readTaxPeriod(params, now);
  const basis: TaxBasis = taxBases.find((one) => one === params.get("basis")) ?? "accrual";
  const figure: TaxFigureName = taxFigureNames.find((one) => one === params.get("figure")) ?? "total-sales";
  const length = findPeriodLength(period);
  const periods = listTaxPeriods(length ?? "quarter", now);
  // A copied link may contain an older period than the list offers.
  const offered = periods.some((one) => toKey(one) === toKey(period)) ? periods : [period, ...periods];
  const { data, previousData, error, refetch } = useTaxSummaryQuery({
    variables: { ...period, basis },
    fetchPolicy: "cache-and-network",
  });
  const figures = (data ?? previousData)?.taxSummary;
  const download = useReportDownload();

  function change(values: Record<string, string>) {
    const next = new URLSearchParams(params);
    next.delete("page");
    for (const [name, value] of Object.entries(values)) next.set(name, value);
    setParams(next, { preventScrollReset: true });
  }
  const changePeriod = ({ startDate, endDate }: TaxPeriod) => change({ start: startDate, end: endDate });

  return (
    <Stack gap="lg">
      <Group align="flex-end" justify="space-between" gap="md">
        <Group align="flex-end" gap="md">
          <SegmentedControl
            aria-label="Length of the period"
            value={length ?? ""}
            onChange={(value) => changePeriod(listTaxPeriods(value as PeriodLength, now)[0] ?? period)}
            data={periodLengths.map(({ value, label }) => ({ value, label }))}
          />
          <NativeSelect
            label="Period"
            value={toKey(period)}
            onChange={({ currentTarget: { value } }) => {
              const chosen = offered.find((one) => toKey(one) === value);
              if (chosen) changePeriod(chosen);
            }}
            data={offered.map((one) => ({ value: toKey(one), label: formatTaxPeriod(one) }))}
          />
          <SegmentedControl
            aria-label="Basis"
            value={basis}
            onChange={(value) => change({ basis: value })}
            data={taxBases.map((value) => ({ value, label: taxBasisLabels[value] }))}
          />
        </Group>
        <DownloadMenu
          label="Export summary"
          onChoose={(format) =>
            download.start("Exporting the summary", "/v1/reports/download-tax", { ...period, basis, format })
          }
        />
      </Group>
      <ReportProgress download={download} />
      {error && !data ? (
        <ErrorState message={formatError(error, "Unable to load the GST summary.")} onRetry={() => void refetch()} />
      ) : figures ? (
        <section aria-label="GST summary" aria-busy={!data || undefined}>
          <TaxSummaryTable figures={figures} current={figure} />
          <Text c="dimmed" fz="sm" mt="xs">
            {basis === "accrual"
              ? "Counts documents by their date of issue."
              : "Counts documents by the date they were paid or refunded."}{" "}
            Adjustments are negative.
          </Text>
        </section>
      ) : (
        <LoadingBlock label="Loading the GST summary" tall />
      )}
      <Stack component="section" gap="sm" aria-labelledby="tax-rows">
        <Title order={2} size="h3" id="tax-rows">
          {taxFigureTexts[figure].label}, {formatTaxPeriod(period)}
        </Title>
        <TaxEntriesTable key={figure} figure={figure} period={period} basis={basis} />
      </Stack>
    </Stack>
  );
}
