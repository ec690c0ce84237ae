import { escapeLiteral } from "pg";
import { brand } from "#schema/brand.ts";
import type { CatalogueEntry } from "#schema/catalogue.ts";
import { sellerTime } from "#schema/days.ts";
import type { Fields } from "#schema/fields/field.ts";

/**
 * How a column's values are written: a text is never taken for a formula, a date is a real date in a workbook, money is
 * dollars with two decimals.
 */
export type ColumnKind = "text" | "date" | "number" | "money";

/** One column of a report. */
export interface ReportColumn {
  readonly title: string;
  readonly kind: ColumnKind;
  /** SQL of its value: text, timestamptz, a number, or for money whole cents. Holds no parameters; see {@link literal}. */
  readonly sql: string;
  /** A text made of words, codes or numbers of ours: it needs no look at each value before it goes into a file. */
  readonly isOurs?: true;
  /** A date that is written in UTC: the expiry of a licence, whose last day ends there. Others are in the vendor's time zone. */
  readonly isUtc?: true;
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

/** A report over a range of dates: one row for each row of a table, which its joins only add to. */
export interface ReportSource {
  /** Names the file, before the range. */
  readonly fileName: string;
  /** At most 31 characters. */
  readonly sheetName: string;
  /** SQL: the table and its alias. */
  readonly table: string;
  /** SQL: what the range is about, timestamptz. An index in the order of `at desc, id desc` serves it. */
  readonly at: string;
  /** SQL: tells rows of the same moment apart. */
  readonly id: string;
  /** SQL: which rows of the table, as the index's own condition says it; all where it is left out. */
  readonly where?: string;
  /** SQL: joins that neither drop nor double a row. */
  readonly joins: string;
  /** @param now SQL of the present */
  readonly columns: (now: string) => readonly ReportColumn[];
}

/** A value as SQL: what comes from outside goes through here. */
export function literal(value: string | Date): string {
  return typeof value === "string" ? escapeLiteral(value) : `${escapeLiteral(value.toISOString())}::timestamptz`;
}

/**
 * SQL: a moment lies at or before the end of a range. The database counts microseconds: those of the end's millisecond
 * belong to the range.
 */
export function isUntil(sql: string, end: Date): string {
  return `${sql} <= ${literal(end).replace("Z'", "999Z'")}`;
}

/** SQL: the words for a value of `sql`; the value itself, as text, where there are none. */
export function inWords(sql: string, words: Iterable<readonly [value: string | number, words: string]>): string {
  const cases = [...words].map(
    ([value, said]) => `when ${typeof value === "number" ? value : literal(value)} then ${literal(said)}`,
  );
  return `case ${sql} ${cases.join(" ")} else (${sql})::text end`;
}

/** SQL: the label of a number in a list; the number itself, as text, for one that the list does not know. */
export function labelIn(list: readonly CatalogueEntry[], sql: string): string {
  return inWords(
    sql,
    list.map(({ value, label }) => [value, label]),
  );
}

/** A column of a report with words of a list for its numbers. */
export function labelColumn(title: string, list: readonly CatalogueEntry[], sql: string, width = 16): ReportColumn {
  return { title, kind: "text", sql: labelIn(list, sql), isOurs: true, width };
}

/**
 * Columns that are the same for many rows of a report: they are looked up, and put into words, once for each `key`, as
 * far as memory goes (PostgreSQL remembers what such a subquery gave), and rows keep their order.
 * @param from SQL after `from`, of at most one row; names what it is looked up by
 */
export function lookedUp(columns: readonly ReportColumn[], from: string): { join: string; columns: ReportColumn[] } {
  const select = columns.map(({ sql }, index) => `${sql} as c${index}`).join(", ");
  return {
    // Without `offset 0` the planner would take the subquery apart, and reckon its columns anew for each row.
    join: `left join lateral (select ${select} from ${from} offset 0) looked_up on true`,
    columns: columns.map((column, index) => ({ ...column, sql: `looked_up.c${index}` })),
  };
}

/** SQL: a condition as people read it. */
export function yesOrNo(condition: string): string {
  return `case when ${condition} then 'Yes' else 'No' end`;
}

/** Returns a column of moments, which its title says are in the vendor's time zone. @param sql SQL of a timestamptz */
export function dateColumn(title: string, sql: string): ReportColumn {
  return { title: `${title} (${sellerTime})`, kind: "date", sql };
}

/** SQL: the wall clock of a column's moments, a timestamp without a time zone. */
export function wallClock({ sql, isUtc }: ReportColumn): string {
  return `(${sql}) at time zone ${literal(isUtc ? "UTC" : brand.timeZone)}`;
}

/**
 * SQL: a column's moments as ISO 8601 to the second, with the offset of the session's time zone, which is the vendor's
 * on the connections of reports: `2026-11-20T02:32:00+10:00`.
 */
export function isoWallClock({ sql, isUtc }: ReportColumn): string {
  return isUtc ? isoMoment(sql) : `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')`;
}

/** SQL: the vendor's calendar day of a moment. */
export function sellerDay(sql: string): string {
  return `((${sql}) at time zone ${literal(brand.timeZone)})::date`;
}

/** SQL: a moment as ISO 8601 in UTC, to the second. */
export function isoMoment(sql: string): string {
  return `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** SQL: whole cents as dollars. */
export function dollars(sql: string): string {
  return `((${sql}) / 100.0)::numeric(14, 2)`;
}

/** Returns the columns of a noun's declared fields that its report shows. @param row alias of the noun's table */
export function fieldColumns(fields: Fields, row: string): ReportColumn[] {
  return Object.entries(fields).flatMap(([name, { report, list }]) => {
    if (!report) return [];
    const sql = `${row}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    if (list) return [labelColumn(report.title, list, sql, report.width)];
    return [{ title: report.title, kind: "text" as const, sql, ...(report.width ? { width: report.width } : {}) }];
  });
}
