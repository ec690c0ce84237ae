import { PassThrough, pipeline, Readable } from "node:stream";
import { writeXlsxStream } from "hucre/xlsx";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";
import { giveBackAfter } from "./report-client.ts";
import { type ColumnKind, dollars, type Report, type ReportColumn } from "./report.ts";

/** Rows fetched at once. */
const PART = 2_000;

const formats: Partial<Record<ColumnKind, string>> = { date: "yyyy-mm-dd hh:mm:ss", money: '"$"#,##0.00;-"$"#,##0.00' };

type Cell = string | number | Date | null;

/**
 * A report as a workbook. Every text is a text cell, so that none is taken for a formula (DOMAIN §8.12); a million rows
 * fill a sheet, further ones go on in the next.
 */
export function workbookOf(context: Context, client: PoolClient, report: Report): Readable {
  const sheet = writeXlsxStream(rowsOf(client, report), {
    name: report.sheetName,
    columns: report.columns.map(({ title, kind, width }) => ({
      header: title,
      width: width ?? (kind === "date" ? 20 : 16),
      ...(formats[kind] ? { numFmt: formats[kind] } : {}),
    })),
    freezePane: { rows: 1 },
    zip64: false,
  });
  // Left early, the sheet itself ends only once its next rows have come; whoever reads must not wait for that.
  const file = new PassThrough();
  pipeline(Readable.fromWeb(sheet as Parameters<typeof Readable.fromWeb>[0]), file, () => {});
  giveBackAfter(context, file, client);
  return file;
}

/** The rows, fetched as the reader takes them in. Never begun when nobody reads, so that it can't clean up by itself. */
async function* rowsOf(client: PoolClient, report: Report): AsyncGenerator<Cell[]> {
  const select = report.columns.map(inWorkbook).join(", ");
  const isDate = report.columns.map(({ kind }) => kind === "date");
  await client.query("begin read only");
  await client.query(`declare report no scroll cursor for select ${select} ${report.from}`);
  for (;;) {
    const { rows } = await client.query<(string | number | null)[]>({
      text: `fetch ${PART} from report`,
      rowMode: "array",
    });
    for (const row of rows)
      yield row.map((value, index) => (isDate[index] && typeof value === "number" ? new Date(value) : value));
    if (rows.length < PART) break;
  }
  await client.query("commit");
}

function inWorkbook({ kind, sql }: ReportColumn): string {
  if (kind === "date") return `(extract(epoch from ${sql}) * 1000)::float8`;
  if (kind === "money") return `${dollars(sql)}::float8`;
  return kind === "number" ? `(${sql})::float8` : `(${sql})::text`;
}
