import { Box, Group, Paper, Skeleton, Stack, Text, Title, Table } from "@mantine/core";
import { formatCount } from "#schema/numbers.ts";
import {
  formatDay,
  formatDayAndMonth,
  formatMonth,
  formatDateTime,
  formatSellerDateTime,
  formatShortDays,
} from "#schema/dates.ts";
import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import {
  type ReportPreviewQuery,
  type ReportSeriesQuery,
  useReportPreviewQuery,
  useReportSeriesQuery,
  type ReportColumnKind,
} from "#web/generated/graphql.ts";
import { BarChart, type BarPoint } from "#web/staff/charts/bar-chart.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { formatError } from "#web/platform/server-error.ts";
import type { ReportRequest } from "./report-choice.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import type { ReactNode } from "react";
import { formatAud } from "#schema/money.ts";
import { Moment } from "#web/ui/moment.tsx";
import { useOverflow } from "#web/ui/use-overflow.ts";

type Preview = ReportPreviewQuery["reportPreview"];
type Series = ReportSeriesQuery["reportSeries"];

/** Shows a preview of a report: row count, chart and first rows. */
export function ReportPreview({ asked }: { asked: ReportRequest | null }) {
  return (
    <Paper component="section" withBorder radius="lg" shadow="sm" p="lg" h="100%" aria-labelledby="report-preview">
      <Group justify="space-between" align="baseline" gap="4px 24px" mb="md">
        <Title order={2} size="h3" id="report-preview">
          {asked ? findLabel(reportTypes, asked.reportType) : "Preview"}
        </Title>
        {asked && (
          <Text c="dimmed" fz="sm">
            {formatShortDays(asked)}
          </Text>
        )}
      </Group>
      {asked ? <LoadedPreview asked={asked} /> : <EmptyState message="Choose a report to see its first rows here." />}
    </Paper>
  );
}

function LoadedPreview({ asked }: { asked: ReportRequest }) {
  // New rows arrive constantly, so cached data is shown only until current data has loaded.
  const options = { variables: asked } as const;
  const query = useReportPreviewQuery(options);
  const { data, error, loading, previousData, refetch } = query;
  const series = useReportSeriesQuery(options);
  const preview = (data ?? (error ? undefined : previousData))?.reportPreview;
  const isStale = loading && data === undefined && preview !== undefined;
  const refetchBoth = () => Promise.all([refetch(), series.refetch()]);

  const isEmpty = preview?.total === 0 && !isStale;
  return (
    <Box aria-busy={isStale || undefined} opacity={isStale ? 0.6 : 1}>
      {/* Mounted while the rows load, because screen readers announce only later changes. */}
      <div role="status">
        {isEmpty && <EmptyState message="No rows in this period." />}
        {preview && !isEmpty && (
          <Text fz="xl" fw={640} lh={1.2}>
            {formatTotal(preview)}
          </Text>
        )}
      </div>
      {!preview && (
        <Loaded
          query={{ ...query, refetch: refetchBoth }}
          failure="Unable to load the preview."
          loading="Loading the preview"
          tall
        />
      )}
      {preview && !isEmpty && (
        <Stack mt="md">
          <Plot label={`${findLabel(reportTypes, asked.reportType)}, rows`} query={series} />
          <PreviewTable preview={preview} />
        </Stack>
      )}
    </Box>
  );
}

/** Formats the row count, such as `1,234 rows` or `More than 10,000 rows`. */
function formatTotal({ total, isTotalCapped }: Preview): string {
  const rows = formatCount(total, "row");
  return isTotalCapped ? `More than ${rows}` : rows;
}

const PLOT_HEIGHT = 150;

function Plot({ label, query }: { label: string; query: ReturnType<typeof useReportSeriesQuery> }) {
  const { data, error, previousData, refetch } = query;
  if (error) return <ErrorState message={formatError(error, "Unable to plot the rows.")} onRetry={refetch} />;
  const series = (data ?? previousData)?.reportSeries;
  if (!series) return <Skeleton h={PLOT_HEIGHT + 26} />;
  return (
    <BarChart
      label={`${label} ${perBucket[series.bucket]}`}
      points={toBarPoints(series)}
      height={PLOT_HEIGHT}
      valueName="rows"
    />
  );
}

const perBucket: Record<Series["bucket"], string> = {
  DAY: "per day",
  WEEK: "per week",
  MONTH: "per month",
  YEAR: "per year",
};

/** Converts points to bars with labels such as `12 Nov`, `Week of 9 Nov`, `Nov 2026` or `2026`. Adds the year to days if it varies. */
function toBarPoints({ bucket, points }: Series): BarPoint[] {
  const years = new Set(points.map(({ date }) => date.slice(0, 4)));
  const formatFullDay = years.size > 1 ? formatDay : formatDayAndMonth;
  return points.map(({ date, count }) => {
    const part = { key: date, value: count };
    if (bucket === "WEEK") return { ...part, label: `Week of ${formatFullDay(date)}`, short: formatDayAndMonth(date) };
    if (bucket === "DAY") return { ...part, label: formatFullDay(date), short: formatDayAndMonth(date) };
    return { ...part, label: bucket === "MONTH" ? formatMonth(date) : date.slice(0, 4) };
  });
}

/** Shows the first rows of a report in a table that scrolls horizontally. */
function PreviewTable({ preview: { columns, rows, total } }: { preview: Preview }) {
  const { frame, overflows } = useOverflow();
  return (
    <div>
      <Paper
        ref={frame}
        withBorder
        style={{ overflowX: "auto" }}
        // The frame is focusable only while it scrolls, so that it can be scrolled with the keyboard.
        {...(overflows ? { tabIndex: 0, role: "group", "aria-label": "First rows, scrollable" } : {})}
      >
        <Table aria-label="First rows" fz="xs" verticalSpacing={7} horizontalSpacing="sm" tabularNums>
          <Table.Thead bg="var(--xp-sunken)" c="dimmed">
            <Table.Tr>
              {columns.map(({ title, kind }) => (
                <Table.Th key={title} scope="col" ta={getAlignment(kind)} data-break="never">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no ID and are never reordered
              <Table.Tr key={at}>
                {columns.map((column, index) => (
                  <Table.Td key={column.title} ta={getAlignment(column.kind)}>
                    <Text span inherit display="block" maw="20rem" truncate>
                      {formatCell(row?.[index] ?? null, column)}
                    </Text>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {total > rows.length && (
        <Text c="dimmed" fz="sm" mt="xs">
          Showing the newest {rows.length} rows. The file contains all rows.
        </Text>
      )}
    </div>
  );
}

const getAlignment = (kind: ReportColumnKind) => (kind === "NUMBER" || kind === "MONEY" ? "right" : "left");

const formatUtc = (moment: string) => formatDateTime(moment, "UTC");

/** Formats a cell. Times are in UTC if the column title says so, and otherwise in the vendor's time zone. */
function formatCell(
  value: string | null,
  { kind, title }: Pick<Preview["columns"][number], "kind" | "title">,
): ReactNode {
  if (value === null || value === "") return "";
  if (kind === "DATE") {
    if (Number.isNaN(Date.parse(value))) return value;
    return <Moment at={value} as={title.includes("(UTC)") ? formatUtc : formatSellerDateTime} />;
  }
  if (kind === "MONEY") return formatAud(Math.round(Number(value) * 100));
  return value;
}
