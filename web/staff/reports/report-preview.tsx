import { Suspense } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { formatDay, formatDayAndMonth, formatMonth } from "#schema/dates.ts";
import { labelOf, reportTypes } from "#schema/catalogue.ts";
import {
  type ReportPreviewQuery,
  type ReportSeriesQuery,
  useReportPreviewQuery,
  useReportSeriesQuery,
} from "#web/generated/graphql.ts";
import type { BarPoint } from "#web/ui/charts/bar-chart.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { useLast } from "#web/ui/use-last.ts";
import { PreviewTable } from "./preview-table.tsx";
import type { AskedReport } from "./report-choice.ts";
import classes from "./reports.module.css";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Charts are loaded where one is drawn. */
const BarChart = lazyPart(
  async () => ({ default: (await import("#web/ui/charts/bar-chart.tsx")).BarChart }),
  "message",
);

type Preview = ReportPreviewQuery["reportPreview"];
type Series = ReportSeriesQuery["reportSeries"];

const shown = (day: string) => day.split("-").reverse().join("/");

/** What the report holds, before it is downloaded: how many rows, when they came to be, and the first of them. */
export function ReportPreview({ asked }: { asked: AskedReport | null }) {
  return (
    <section className={classes.preview} aria-labelledby="report-preview">
      <div className={classes.previewHead}>
        <h2 id="report-preview" className={classes.previewTitle}>
          {asked ? labelOf(reportTypes, asked.reportType) : "Preview"}
        </h2>
        {asked && (
          <p className={classes.period}>
            {asked.startDate === asked.endDate
              ? shown(asked.startDate)
              : `${shown(asked.startDate)} to ${shown(asked.endDate)}`}
          </p>
        )}
      </div>
      {asked ? <Asked asked={asked} /> : <EmptyState message="Choose a report to see its first rows here." />}
    </section>
  );
}

function Asked({ asked }: { asked: AskedReport }) {
  // New rows come in all the time, so what was seen before is shown only until the present ones are there.
  const options = { variables: asked, fetchPolicy: "cache-and-network" } as const;
  const { data, error, loading, previousData, refetch } = useReportPreviewQuery(options);
  const series = useReportSeriesQuery(options);
  const preview = (data ?? (error ? undefined : previousData))?.reportPreview;
  const isStale = loading && data === undefined;
  const again = () => {
    void refetch().catch(() => undefined);
    void series.refetch().catch(() => undefined);
  };

  if (error && !data) return <ErrorState message={messageOf(error, "Unable to load the preview.")} onRetry={again} />;
  if (!preview) return <LoadingBlock label="Loading the preview" tall />;
  if (preview.total === 0 && !isStale) return <EmptyState message="No rows in this period." />;
  return (
    <div className={classes.previewBody} aria-busy={isStale || undefined}>
      <p className={classes.total} role="status">
        {totalInWords(preview)}
      </p>
      <Plot
        label={`${labelOf(reportTypes, asked.reportType)}, rows`}
        series={(series.data ?? (series.error ? undefined : series.previousData))?.reportSeries ?? null}
        failure={series.error && messageOf(series.error, "Unable to plot the rows.")}
      />
      <PreviewTable preview={preview} />
    </div>
  );
}

/** `1,234 rows`, `More than 10,000 rows`. */
function totalInWords({ total, isTotalCapped }: Preview): string {
  const rows = `${formatNumber(total)} ${total === 1 ? "row" : "rows"}`;
  return isTotalCapped ? `More than ${rows}` : rows;
}

const PLOT_HEIGHT = 150;

function Plot(props: { label: string; series: Series | null; failure: string | undefined }) {
  const series = useLast(props.series);
  if (props.failure) return <p className={classes.noPlot}>{props.failure}</p>;
  const place = <div className={classes.plotPlace} style={{ height: PLOT_HEIGHT + 40 }} />;
  if (!series) return place;
  return (
    <Suspense fallback={place}>
      <BarChart
        label={`${props.label} ${perBucket[series.bucket]}`}
        points={pointsOf(series)}
        height={PLOT_HEIGHT}
        valueName="rows"
      />
    </Suspense>
  );
}

const perBucket: Record<Series["bucket"], string> = {
  DAY: "a day",
  WEEK: "a week",
  MONTH: "a month",
  YEAR: "a year",
};

/** Parts by their first days, as they are called: `12 Nov`, `Week of 9 Nov`, `Nov 2026`, `2026`; days with their year where it changes. */
function pointsOf({ bucket, points }: Series): BarPoint[] {
  const years = new Set(points.map(({ date }) => date.slice(0, 4)));
  const inFull = years.size > 1 ? formatDay : formatDayAndMonth;
  return points.map(({ date, count }) => {
    const part = { key: date, value: count };
    if (bucket === "WEEK") return { ...part, label: `Week of ${inFull(date)}`, short: formatDayAndMonth(date) };
    if (bucket === "DAY") return { ...part, label: inFull(date), short: formatDayAndMonth(date) };
    return { ...part, label: bucket === "MONTH" ? formatMonth(date) : date.slice(0, 4) };
  });
}
