import { PassThrough, pipeline, type Readable } from "node:stream";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";
import { copyOf, giveBackAfter, HIGH_WATER_MARK } from "./report-client.ts";
import { dollars, isoWallClock, type Report, type ReportColumn } from "./report.ts";

// The wide forms are what spreadsheets of East Asia take for the first four.
const startsOfFormulas = Array.from("=+-@\t\r＝＋－＠", (one) => one.codePointAt(0)).join(", ");

/**
 * A report as CSV. PostgreSQL writes the lines itself, which no program of ours does as fast: they pass through as bytes.
 * The titles are ours and go ahead, so that a download begins before the first row is found. A text that a spreadsheet
 * would take for a formula begins with `'` (docs/domain.md#reports).
 */
export function csvOf(context: Context, client: PoolClient, report: Report): Readable {
  const file = new PassThrough({ highWaterMark: HIGH_WATER_MARK });
  file.write(`${report.columns.map(({ title }) => quoted(title)).join(",")}\n`);
  pipeline(copyOf(client, csvStatement(report), "format csv"), file, () => {});
  giveBackAfter(context, file, client);
  return file;
}

/** SQL: the rows of a report as they stand in CSV. */
export function csvStatement({ columns, from }: Report): string {
  return `select ${columns.map(inCsv).join(", ")} ${from}`;
}

function inCsv(column: ReportColumn): string {
  const { kind, sql, isOurs } = column;
  if (kind === "date") return isoWallClock(column);
  if (kind === "money") return dollars(sql);
  if (kind === "number" || isOurs) return sql;
  return `case when ascii(${sql}) in (${startsOfFormulas}) then '''' || (${sql}) else (${sql}) end`;
}

const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
