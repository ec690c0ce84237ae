import type { Context } from "#api/platform/context.ts";
import { rowsInPeriod, type AskedReport, periodReport } from "./period-report.ts";
import { quickly } from "./quickly.ts";
import { type ColumnKind, dollars, isoMoment, type ReportColumn } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** Rows that a preview shows. */
const SHOWN = 10;

/** Counting further costs more than anyone reads. */
export const MOST_COUNTED = 10_000;

/** The first rows of a report, as it would be downloaded now. */
export interface Preview {
  readonly columns: readonly { readonly title: string; readonly kind: ColumnKind }[];
  /** Texts as they are, moments as ISO 8601 in UTC, money in dollars; null where a cell is empty. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** At most {@link MOST_COUNTED}. */
  readonly total: number;
  readonly isTotalCapped: boolean;
}

/**
 * Reads the first rows of a report and counts the rest.
 * @throws AppError RATE_LIMITED; UNAVAILABLE when the range holds too much to look through in a moment.
 */
export async function previewReport(context: Context, asked: AskedReport): Promise<Preview> {
  const { columns, from } = periodReport(context, asked);
  const select = columns.map(inPreview).join(", ");
  const rows = rowsInPeriod(reportSources[asked.reportType], asked);
  const counted = `select count(*)::int as count from (select ${rows} limit ${MOST_COUNTED + 1}) counted`;
  return quickly(context, async ({ pool }) => {
    const [first, [tally]] = await Promise.all([
      pool.query<(string | null)[]>({ text: `select ${select} ${from} limit ${SHOWN}`, rowMode: "array" }),
      pool.query<{ count: number }>(counted).then((answer) => answer.rows),
    ]);
    const count = tally?.count ?? 0;
    return {
      columns: columns.map(({ title, kind }) => ({ title, kind })),
      rows: first.rows,
      total: Math.min(count, MOST_COUNTED),
      isTotalCapped: count > MOST_COUNTED,
    };
  });
}

function inPreview({ kind, sql }: ReportColumn): string {
  if (kind === "date") return isoMoment(sql);
  return kind === "money" ? `${dollars(sql)}::text` : `(${sql})::text`;
}
