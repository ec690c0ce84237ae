import type { ReportPreview } from "./report.resolver.ts";
import type { Context } from "#api/platform/context.ts";
import { selectRowsInPeriod, type ReportRequest, buildPeriodReport } from "./period-report.ts";
import { toDollarsSql, toIsoUtcSql, type ReportColumn } from "./report.ts";
import { reportSources } from "./report-sources.ts";
import { AppError, isStatementTimeout } from "#api/platform/errors.ts";

const PREVIEW_ROWS = 10;

/** Maximum number of rows counted. Counting more would cost too much. */
export const MAX_COUNTED_ROWS = 10_000;

/**
 * Reads the first rows of a report and counts all rows.
 * @throws AppError RATE_LIMITED, or UNAVAILABLE if the statement times out.
 */
export async function previewReport(context: Context, request: ReportRequest): Promise<ReportPreview> {
  const { columns, from } = buildPeriodReport(context, request);
  const select = columns.map(toPreviewSql).join(", ");
  const rows = selectRowsInPeriod(reportSources[request.reportType], request);
  const counted = `select count(*)::int as count from (select ${rows} limit ${MAX_COUNTED_ROWS + 1}) counted`;
  return withPreviewLimits(context, async ({ pool }) => {
    const [first, [countRow]] = await Promise.all([
      pool.query<(string | null)[]>({ text: `select ${select} ${from} limit ${PREVIEW_ROWS}`, rowMode: "array" }),
      pool.query<{ count: number }>(counted).then((result) => result.rows),
    ]);
    const count = countRow?.count ?? 0;
    return {
      columns: columns.map(({ title, kind }) => ({ title, kind })),
      rows: first.rows,
      total: Math.min(count, MAX_COUNTED_ROWS),
      isTotalCapped: count > MAX_COUNTED_ROWS,
    };
  });
}

function toPreviewSql({ kind, sql }: ReportColumn): string {
  if (kind === "date") return toIsoUtcSql(sql);
  return kind === "money" ? `${toDollarsSql(sql)}::text` : `(${sql})::text`;
}

/**
 * Executes a query that a user is waiting for, and explains a statement timeout to them.
 * @throws AppError UNAVAILABLE with advice to the user if the statement times out.
 */
export async function explainTimeout<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new AppError("UNAVAILABLE", {
      message: "This date range has too much data to show here. Choose a shorter range, or download the report.",
    });
  }
}

/**
 * Executes a query for the reports page with a rate limit and the usual statement timeout.
 * @throws AppError RATE_LIMITED after 300 calls in ten minutes, UNAVAILABLE if the statement times out.
 */
export async function withPreviewLimits<Result>(
  context: Context,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  await context.rateLimits.take("reportPreview", context.actor?.userId ?? context.origin.ip);
  return explainTimeout(() => work(context));
}
