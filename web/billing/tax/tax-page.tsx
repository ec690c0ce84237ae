import { Anchor, Group, Paper, SegmentedControl, Stack, Table, Tabs, Text, Title } from "@mantine/core";
import { Suspense } from "react";
import { vendorTimeName } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { PeriodLock } from "#web/billing/period-lock/period-lock.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { findEntry, findLabel, toCode, toValue } from "#schema/closed-list.ts";
import { taxBases, type TaxBasis, taxFigureList, type TaxFigureName } from "#schema/tax.ts";
import { useTaxSummaryQuery, useTaxEntriesQuery, type TaxSummaryQuery } from "#web/generated/graphql.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { DownloadMenu, fileFormats } from "./download-menu.tsx";
import { PeriodPicker, type TaxAddress, useTaxAddress } from "./period-picker.tsx";
import { formatTaxPeriod, type TaxPeriod } from "./tax-periods.ts";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { EntriesTable } from "./entries-table.tsx";
import { Link } from "react-router-dom";
import { formatAud } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";

const RevenuePanel = lazyPart(() => import("#web/billing/revenue/revenue-panel.tsx"), "message");

/** Page with the GST summary for the business activity statement and the revenue report, as tabs. The URL has what is chosen. */
export default function TaxPage() {
  const address = useTaxAddress();
  const tab = address.params.get("tab") === "revenue" ? "revenue" : "gst";
  return (
    <PageLayout
      title={paths.tax.title}
      lead={`GST for the business activity statement, revenue and cash. Select a figure to see its rows. Days are in ${vendorTimeName}.`}
    >
      <PeriodLock now={address.now} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          address.change({ tab: value === "revenue" ? value : null, figure: null, month: null, q: null })
        }
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="gst">GST summary</Tabs.Tab>
          <Tabs.Tab value="revenue">Revenue and cash</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="gst">
          <Stack gap="lg">
            <GstPanel address={address} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="revenue">
          <Suspense fallback={<LoadingBlock label="Loading the revenue report" tall />}>
            <RevenuePanel address={address} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </PageLayout>
  );
}

/** Shows the GST summary of a period and the rows of one figure. */
function GstPanel({ address }: { address: TaxAddress }) {
  const { params, period, now, change, buildHref } = address;
  const basis: TaxBasis = findEntry(taxBases, params.get("basis"))?.value ?? "accrual";
  const figure: TaxFigureName = findEntry(taxFigureList, params.get("figure"))?.value ?? "total-sales";
  const query = useTaxSummaryQuery({ variables: { ...period, basis: toCode(taxBases, basis) } });
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
      {download.progress}
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

function TaxEntriesTable({ figure, period, basis }: { figure: TaxFigureName; period: TaxPeriod; basis: TaxBasis }) {
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
  });
  return (
    <EntriesTable
      name={findLabel(taxFigureList, figure)}
      dateTitle={basis === "cash" ? "Paid" : "Issued"}
      remote={remote}
      page={(data ?? previousData)?.taxEntries}
      error={data ? undefined : error}
      onRetry={refetch}
      startExport={(start, choice) => start("Exporting the rows", "/v1/reports/download-tax", { ...body, ...choice })}
      emptyMessage="No documents in this period."
    />
  );
}

interface TaxSummaryTableProps {
  figures: TaxSummaryQuery["taxSummary"];
  current: TaxFigureName;
  /** Returns the URL of a figure's rows. */
  buildHref: (figure: TaxFigureName) => string;
}

/** Formats whole dollars, such as `A$1,234`. */
const formatDollars = (dollars: number) => formatAud(dollars * 100).replace(/\.00$/, "");

/** Shows the figures of the GST summary, in whole dollars as on the business activity statement, and exactly. Each links to its rows. */
function TaxSummaryTable({ figures, current, buildHref }: TaxSummaryTableProps) {
  return (
    <Paper withBorder radius="lg" style={{ overflowX: "auto" }}>
      <Table
        aria-label="GST summary"
        tabularNums
        verticalSpacing="sm"
        // Both amounts fit on a phone of 390 pixels.
        horizontalSpacing="clamp(0.3rem, 1.5vw, 1rem)"
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w="clamp(2.75rem, 8vw, 4.5rem)">
              Label
            </Table.Th>
            <Table.Th scope="col">Figure</Table.Th>
            <Table.Th scope="col" ta="right">
              Whole dollars
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Exact amount
            </Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="xs">
              Rows
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.map(({ name: figure, code, label, cents, dollars, count }) => {
            const name = toValue(taxFigureList, figure);
            return (
              <Table.Tr key={name} bg={name === current ? "var(--xp-sunken)" : undefined}>
                <Table.Td>
                  <Text span inherit fw={600}>
                    {code ?? ""}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to={buildHref(name)}
                    inherit
                    aria-current={name === current ? "true" : undefined}
                    preventScrollReset
                  >
                    {label}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right" fw={560} data-break="never">
                  {dollars == null ? "" : formatDollars(dollars)}
                </Table.Td>
                <Table.Td ta="right" data-break="never">
                  {formatAud(cents)}
                </Table.Td>
                <Table.Td ta="right" visibleFrom="xs">
                  {formatNumber(count)}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
