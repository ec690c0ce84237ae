import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { readWorkbook, serialToDate } from "#tests/support/read-workbook.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** The range of the reports in tests. */
export const march = { startDate: "2020-03-01", endDate: "2020-03-31" };

/** Cells of a row by column title: a text, or what each format shows. */
export type Expected = Record<string, string | { csv: string; xlsx: string }>;

/** Reads cells from "Title: value | Title: value". A value `#5` is a number, and `$1.20` an amount. */
export function readCells(text: string): Expected {
  const pairs = text.split(/ \| |\n/).map((part) => /^\s*(.*?):(?: (.*?))?\s*$/.exec(part) ?? []);
  return Object.fromEntries(
    pairs
      .filter(([whole]) => whole)
      .map(([, title = "", value = ""]) => {
        const bare = value.slice(1);
        if (value.startsWith("#")) return [title, { csv: bare, xlsx: `${bare} n` }];
        return [title, value.startsWith("$") ? { csv: bare, xlsx: `${bare} $` } : value];
      }),
  );
}

type Row = Record<string, string>;

/** Returns calls that download reports as an admin who registered before all of their ranges. */
export async function openReports(app: TestApp) {
  const admin = await signInAs(app, await createAdmin(app, { registeredAt: new Date("2019-01-01T00:00:00Z") }));

  async function download(reportType: number | string, format: "csv" | "xlsx", range: object = march) {
    const body = { reportType, ...range, ...(format === "csv" ? { format } : {}) };
    const headers = { "accept-encoding": "identity" };
    const file = await app.rest("POST", "/v1/reports/download-report", { body, token: admin, headers });
    expect(file.status).toBe(200);
    return file;
  }

  const readCsv = async (reportType: number, range?: object) =>
    parse((await download(reportType, "csv", range)).bytes, { columns: true, bom: true }) as Row[];

  /** Reads the rows of a workbook as texts. Date cells are formatted as in CSV, and money cells as "12.30 $". */
  async function readWorkbookRows(reportType: number, range?: object): Promise<Row[]> {
    const { rows, formats } = readWorkbook((await download(reportType, "xlsx", range)).bytes);
    const [titles = [], ...body] = rows;
    return body.map((row) =>
      Object.fromEntries(
        titles.map(({ text: title }, index) => {
          const { type, style, text } = row[index] ?? { type: "", style: 0, text: "" };
          const format = formats[style] ?? "";
          if (format.startsWith("yyyy") && text) {
            const moment = serialToDate(text).toISOString();
            return [title, moment.replace(/\.\d+Z/, title.includes("(UTC)") ? "Z" : "+10:00")];
          }
          if (format.startsWith('"$"') && text) return [title, `${Number(text).toFixed(2)} $`];
          return [title, type === "n" ? `${text} n` : text];
        }),
      ),
    );
  }

  /** Checks every cell of a report in both formats: texts, numbers, dates and amounts. */
  async function expectRows(reportType: number, expected: Expected[]) {
    const as = (form: "csv" | "xlsx") => (row: Expected) =>
      Object.fromEntries(
        Object.entries(row).map(([title, value]) =>
          typeof value !== "string" ? [title, value[form]] : [title, form === "csv" ? escapeFormula(value) : value],
        ),
      );
    expect(await readCsv(reportType)).toEqual(expected.map(as("csv")));
    expect(await readWorkbookRows(reportType)).toEqual(expected.map(as("xlsx")));
  }

  return { admin, download, readCsv, expectRows };
}

const escapeFormula = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
