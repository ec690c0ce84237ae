import { Anchor, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router-dom";
import { accountingFiles } from "#schema/accounting.ts";
import { findEntry, findLabel, toCode } from "#schema/closed-list.ts";
import { formatAud } from "#schema/money.ts";
import { forecastFigureNames, moneyFigureList, type MoneyFigureName } from "#schema/money-report.ts";
import { DownloadMenu, fileFormats } from "#web/billing/tax/download-menu.tsx";
import { PeriodPicker, type TaxAddress } from "#web/billing/tax/period-picker.tsx";
import { formatTaxPeriod, type TaxPeriod } from "#web/billing/tax/tax-periods.ts";
import { type MoneyReportQuery, useMoneyReportQuery, useMoneyEntriesQuery } from "#web/generated/graphql.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { EntriesTable } from "#web/billing/tax/entries-table.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";

type Month = MoneyReportQuery["moneyReport"][number];

/** Shows revenue, cash and failed payments by month, and the rows of one figure. */
export default function RevenuePanel({ address }: { address: TaxAddress }) {
  const { params, period, now, change, buildHref } = address;
  const figure = findEntry(moneyFigureList, params.get("figure")) ?? findEntry(moneyFigureList, "revenue")!;
  const query = useMoneyReportQuery({ variables: { startDate: period.startDate, endDate: period.endDate } });
  const { data, previousData, error } = query;
  const months = (data ?? (error ? undefined : previousData))?.moneyReport;
  const actual = months?.filter(({ isForecast }) => !isForecast) ?? [];
  // Totals never contain days to come.
  const total: TaxPeriod = { ...period, endDate: actual.at(-1)?.endDate ?? period.endDate };
  const chosen = months?.find(({ startDate }) => startDate === params.get("month")) ?? total;
  const download = useReportDownload();

  return (
    <Stack gap="lg">
      <Group align="flex-end" justify="space-between" gap="md">
        <Group align="flex-end" gap="md">
          <PeriodPicker
            period={period}
            now={now}
            onChange={({ startDate, endDate }) => change({ start: startDate, end: endDate, month: null })}
          />
        </Group>
        <Group gap="sm">
          <DownloadMenu
            label="Export for accounting"
            choices={accountingFiles}
            onChoose={(file) =>
              download.start("Exporting for accounting", "/v1/reports/download-accounting", { ...period, file })
            }
          />
          <DownloadMenu
            label="Export months"
            choices={fileFormats}
            onChoose={(format) =>
              download.start("Exporting the months", "/v1/reports/download-revenue", { ...period, format })
            }
          />
        </Group>
      </Group>
      {download.progress}
      {months ? (
        <>
          <MonthsTable
            months={months}
            total={total}
            buildHref={(name, month) => buildHref({ figure: name, month, q: null })}
            isCurrent={(name, month) => name === figure.value && month === (chosen === total ? null : chosen.startDate)}
          />
          <Stack component="section" gap="sm" aria-labelledby="revenue-rows">
            <div>
              <Title order={2} size="h3" id="revenue-rows">
                {figure.label}, {formatTaxPeriod(chosen)}
              </Title>
              <Text c="dimmed" fz="sm">
                {figure.description}
              </Text>
            </div>
            <RevenueEntriesTable key={`${figure.value} ${chosen.startDate}`} figure={figure.value} period={chosen} />
          </Stack>
        </>
      ) : (
        <Loaded query={query} failure="Unable to load the revenue report." loading="Loading the revenue report" tall />
      )}
    </Stack>
  );
}

interface MonthsTableProps {
  months: readonly Month[];
  /** The days of all months until today. */
  total: TaxPeriod;
  /** Returns the URL of a figure and a month, or all of them if the month is null. */
  buildHref: (figure: MoneyFigureName, month: string | null) => string;
  isCurrent: (figure: MoneyFigureName, month: string | null) => boolean;
}

function MonthsTable({ months, total, buildHref, isCurrent }: MonthsTableProps) {
  // Deferred revenue is a balance, so the period has the balance of its last month.
  const actual = months.filter(({ isForecast }) => !isForecast);
  const sum = (name: MoneyFigureName) =>
    name === "deferred" ? (actual.at(-1)?.deferred ?? 0) : actual.reduce((all, month) => all + month[name], 0);
  const renderMonth = (month: Month) => {
    const { startDate, isForecast } = month;
    return renderRow(isForecast ? `Forecast ${formatTaxPeriod(month)}` : formatTaxPeriod(month), startDate, (name) =>
      isForecast && !forecastFigureNames.includes(name) ? null : month[name],
    );
  };
  const renderCents = (name: MoneyFigureName, label: string, month: string | null, cents: number | null) =>
    cents === null ? (
      <Text span inherit c="dimmed">
        –
      </Text>
    ) : (
      <Anchor
        component={Link}
        inherit
        to={buildHref(name, month)}
        preventScrollReset
        aria-label={`${findLabel(moneyFigureList, name)}, ${label}: ${formatAud(cents)}`}
        aria-current={isCurrent(name, month) ? "true" : undefined}
      >
        {formatAud(cents)}
      </Anchor>
    );
  const renderRow = (label: string, month: string | null, getCents: (name: MoneyFigureName) => number | null) => (
    <Table.Tr key={label} fw={month === null ? 600 : undefined}>
      <Table.Th scope="row" data-break="never">
        {label}
      </Table.Th>
      {moneyFigureList.map(({ value: name }) => (
        <Table.Td key={name} ta="right" data-break="never" bg={isCurrent(name, month) ? "var(--xp-sunken)" : undefined}>
          {renderCents(name, label, month, getCents(name))}
        </Table.Td>
      ))}
    </Table.Tr>
  );
  return (
    <Paper withBorder radius="lg" style={{ overflowX: "auto" }}>
      <Table aria-label="Revenue by month" tabularNums verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Month</Table.Th>
            {moneyFigureList.map(({ value, label, description }) => (
              <Table.Th key={value} scope="col" ta="right" title={description}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {actual.map(renderMonth)}
          {actual.length > 1 && renderRow(`Total ${formatTaxPeriod(total)}`, null, sum)}
          {months.filter(({ isForecast }) => isForecast).map(renderMonth)}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function RevenueEntriesTable({ figure, period }: { figure: MoneyFigureName; period: TaxPeriod }) {
  const body = { figure, startDate: period.startDate, endDate: period.endDate };
  const remote = useRemoteList(useUrlList({ sortable: false }), { queryKey: Object.values(body).join(" ") });
  const { data, previousData, error, refetch } = useMoneyEntriesQuery({
    variables: { ...body, figure: toCode(moneyFigureList, figure), filter: { search: remote.search }, ...remote.page },
  });
  return (
    <EntriesTable
      name={findLabel(moneyFigureList, figure)}
      dateTitle="Date"
      remote={remote}
      page={(data ?? previousData)?.moneyEntries}
      error={data ? undefined : error}
      onRetry={refetch}
      startExport={(start, choice) =>
        start("Exporting the rows", "/v1/reports/download-revenue", { ...body, ...choice })
      }
      emptyMessage="No rows in this period."
    />
  );
}
