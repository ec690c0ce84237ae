import { escapeLiteral } from "pg";
import { brand } from "#schema/brand.ts";
import type { ListEntry } from "#schema/closed-list.ts";
import { vendorTimeName } from "#schema/days.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import type { Fields } from "#schema/field.ts";
import type { ColumnKind } from "#schema/report.ts";
import { toColumnName } from "#api/platform/database/columns.ts";

/** One column of a report. */
export interface ReportColumn {
  readonly title: string;
  readonly kind: ColumnKind;
  /** SQL for the value: text, timestamptz, a number, or whole cents for money. Can't have parameters, see {@link toSqlLiteral}. */
  readonly sql: string;
  /** True if the product generates all values of the column, so that they needn't be escaped. */
  readonly isTrusted?: true;
  /**
   * True if dates are written in UTC instead of the vendor's time zone, as for expiry dates: licences expire at the end
   * of a UTC day.
   */
  readonly isUtc?: true;
  /** Column width in a workbook, in characters. */
  readonly width?: number;
  /** Staff roles, besides owners, that see the column. Everyone who may download the report does without any. */
  readonly roles?: readonly StaffRole[];
}

/** A downloadable list. One SQL statement selects the columns, and the rows are streamed one by one. */
export interface Report {
  /** File name without extension. */
  readonly fileName: string;
  /** Sheet name, at most 31 characters. */
  readonly sheetName: string;
  readonly columns: readonly ReportColumn[];
  /** SQL from `from` to `order by`. Can't have parameters, because COPY doesn't support them. See {@link toSqlLiteral}. */
  readonly from: string;
}

/** A report over a date range, with one row for each row of its table. */
export interface ReportSource {
  /** First part of the file name, before the range. */
  readonly fileName: string;
  /** Sheet name, at most 31 characters. */
  readonly sheetName: string;
  /** SQL: table and alias. */
  readonly table: string;
  /** SQL: the timestamptz that the range applies to. Requires an index on `at desc, id desc`. */
  readonly at: string;
  /** SQL: unique ID that orders rows with the same time. */
  readonly id: string;
  /** SQL: condition that the rows must meet, identical to the condition of the index. Omit it to include all rows. */
  readonly where?: string;
  /** SQL: joins that neither drop nor duplicate rows. */
  readonly joins: string;
  /** @param now SQL expression of the current time */
  readonly columns: (now: string) => readonly ReportColumn[];
  /** Staff roles, besides owners, that see the report. Everyone who may download reports does without any. */
  readonly roles?: readonly StaffRole[];
}

/** Returns a value as an escaped SQL literal. All external values must be escaped with it. */
export function toSqlLiteral(value: string | Date): string {
  return typeof value === "string" ? escapeLiteral(value) : `${escapeLiteral(value.toISOString())}::timestamptz`;
}

/** Returns SQL for a value of a filter, because COPY can't have parameters. */
export function toParameterSql(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(toParameterSql).join(", ")}]::text[]`;
  return toSqlLiteral(value instanceof Date ? value : String(value));
}

/**
 * Returns an SQL condition that is true if a time is at or before the end of a range. The range includes all
 * microseconds of the last millisecond.
 */
export function isUntilSql(sql: string, end: Date): string {
  return `${sql} <= ${toSqlLiteral(end).replace("Z'", "999Z'")}`;
}

/** Returns SQL that maps the values of `sql` to labels, or to the value as text if it has no label. */
export function toLabelSql(sql: string, words: Iterable<readonly [value: string | number, words: string]>): string {
  const cases = [...words].map(
    ([value, label]) => `when ${typeof value === "number" ? value : toSqlLiteral(value)} then ${toSqlLiteral(label)}`,
  );
  return `case ${sql} ${cases.join(" ")} else (${sql})::text end`;
}

/** Returns SQL that maps a number to its label in a list, or to the number as text if the list doesn't contain it. */
export function toListLabelSql(list: readonly ListEntry[], sql: string): string {
  return toLabelSql(
    sql,
    list.map(({ value, label }) => [value, label]),
  );
}

/** Returns a column of text. */
export function createTextColumn(title: string, sql: string, width?: number): ReportColumn {
  return { title, kind: "text", sql, width };
}

/** Returns a column of amounts. @param sql SQL expression of whole cents */
export function createMoneyColumn(title: string, sql: string): ReportColumn {
  return { title, kind: "money", sql };
}

/** Returns a column that shows numbers as labels from a list. */
export function createLabelColumn(title: string, list: readonly ListEntry[], sql: string, width = 16): ReportColumn {
  return { title, kind: "text", sql: toListLabelSql(list, sql), isTrusted: true, width };
}

/**
 * Returns a join for columns that repeat in many rows of a report. PostgreSQL caches the results of the subquery, so
 * each value is usually looked up once. The order of the rows is kept.
 * @param from SQL after `from`. The SQL must return at most one row and contain the lookup condition.
 */
export function createLookupJoin(
  columns: readonly ReportColumn[],
  from: string,
): { join: string; columns: ReportColumn[] } {
  const select = columns.map(({ sql }, index) => `${sql} as c${index}`).join(", ");
  return {
    // Without `offset 0`, the planner would inline the subquery and evaluate its columns again for each row.
    join: `left join lateral (select ${select} from ${from} offset 0) looked_up on true`,
    columns: columns.map((column, index) => ({ ...column, sql: `looked_up.c${index}` })),
  };
}

/** Returns SQL that shows a condition as Yes or No. */
export function toYesOrNoSql(condition: string): string {
  return `case when ${condition} then 'Yes' else 'No' end`;
}

/** Returns a date column with the vendor's time zone in its title. @param sql SQL expression of a timestamptz */
export function createDateColumn(title: string, sql: string): ReportColumn {
  return { title: `${title} (${vendorTimeName})`, kind: "date", sql };
}

/** Returns SQL for a column's local times as timestamps without time zone. */
export function toLocalTimeSql({ sql, isUtc }: ReportColumn): string {
  return `(${sql}) at time zone ${toSqlLiteral(isUtc ? "UTC" : brand.timeZone)}`;
}

/**
 * Returns SQL for a column's times as ISO 8601 to the second, such as `2026-11-20T02:32:00+10:00`. The offset belongs to
 * the session, which uses the vendor's time zone on report connections.
 */
export function toIsoLocalTimeSql({ sql, isUtc }: ReportColumn): string {
  return isUtc ? toIsoUtcSql(sql) : `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')`;
}

/** Returns SQL for the calendar day of a time, in the vendor's time zone. */
export function toVendorDaySql(sql: string): string {
  return `((${sql}) at time zone ${toSqlLiteral(brand.timeZone)})::date`;
}

/** Returns SQL for a time as ISO 8601 in UTC, to the second. */
export function toIsoUtcSql(sql: string): string {
  return `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** Returns SQL that converts whole cents to dollars. */
export function toDollarsSql(sql: string): string {
  return `((${sql}) / 100.0)::numeric(14, 2)`;
}

/** Returns the report columns of an entity's declared fields. @param row alias of the entity's table */
export function createFieldColumns(fields: Fields, row: string): ReportColumn[] {
  return Object.entries(fields).flatMap(([name, { report, list }]) => {
    if (!report) return [];
    const sql = `${row}.${toColumnName(name)}`;
    if (list) return [createLabelColumn(report.title, list, sql, report.width)];
    return [createTextColumn(report.title, sql, report.width)];
  });
}
