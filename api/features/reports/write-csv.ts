import type { Readable } from "node:stream";
import type { PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Context } from "#api/platform/context.ts";
import { giveBackAfter } from "./report-client.ts";
import { dollars, isoMoment, type Report, type ReportColumn } from "./report.ts";

// The last four are the wide forms that spreadsheets of East Asia take for the first four.
const beginsLikeAFormula = "^[=+@\\t\\r＝＋－＠-]";

/**
 * A report as CSV. PostgreSQL writes the lines itself, which no program of ours does as fast: they pass through as bytes.
 * A text that a spreadsheet would take for a formula begins with `'` (DOMAIN §8.12).
 */
export function csvOf(context: Context, client: PoolClient, report: Report): Readable {
  const select = report.columns.map((column) => `${inCsv(column)} as "${column.title.replaceAll('"', '""')}"`);
  const copy = `copy (select ${select.join(", ")} ${report.from}) to stdout (format csv, header)`;
  const lines = client.query(copyTo(copy, { highWaterMark: 256 * 1_024 }));
  giveBackAfter(context, lines, client);
  return lines;
}

function inCsv({ kind, sql }: ReportColumn): string {
  if (kind === "number") return sql;
  if (kind === "money") return dollars(sql);
  if (kind === "date") return isoMoment(sql);
  return `case when (${sql}) ~ '${beginsLikeAFormula}' then '''' || (${sql}) else (${sql}) end`;
}
