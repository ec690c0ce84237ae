import { escapeLiteral } from "pg";

/** How a column's values are written: a text is never taken for a formula, a date is a real date in a workbook. */
type ColumnKind = "text" | "date" | "number";

/** One column of a report. */
export interface ReportColumn {
  readonly title: string;
  readonly kind: ColumnKind;
  /** SQL of its value: text, timestamptz, or a number. Holds no parameters; see {@link literal}. */
  readonly sql: string;
  /** In characters, for workbooks. */
  readonly width?: number;
}

/** A list that people download: a column list over one statement, read row by row however long it is. */
export interface Report {
  /** Names the file, without its ending. */
  readonly fileName: string;
  /** Name of the sheet, at most 31 characters. */
  readonly sheetName: string;
  readonly columns: readonly ReportColumn[];
  /** SQL from `from` to `order by`. Holds no parameters, which COPY does not know; see {@link literal}. */
  readonly from: string;
}

/** A value as SQL: what comes from outside goes through here. */
export function literal(value: string | Date): string {
  return typeof value === "string" ? escapeLiteral(value) : `${escapeLiteral(value.toISOString())}::timestamptz`;
}

/** SQL: the words for a value of `sql`; the value itself, as text, where there are none. */
export function inWords(sql: string, words: Iterable<readonly [value: string | number, words: string]>): string {
  const cases = [...words].map(([value, said]) => `when ${literal(String(value))} then ${literal(said)}`);
  return `case (${sql})::text ${cases.join(" ")} else (${sql})::text end`;
}
