import "reflect-metadata";
import { ArgsType, Field, Int } from "type-graphql";
import { pageRules } from "#schema/text.ts";
import { badInput } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import type { ComplexityEstimatorArgs } from "graphql-query-complexity";

/** Size and position of a page of a history, which is read from a cursor. */
@ArgsType()
export class HistoryArgs {
  @Field(() => Int, { defaultValue: 20, description: "Number of rows to return, at most 100." })
  first!: number;

  @Field(() => String, { nullable: true, description: "The `endCursor` of an earlier page of this list." })
  after?: string | null;
}

/** Maximum number of rows on a page of a history. */
export const MAX_HISTORY_ROWS = 100;

/** @throws AppError BAD_USER_INPUT unless a page of a history has 1 to {@link MAX_HISTORY_ROWS} rows */
export function checkHistorySize(first: number): void {
  if (!Number.isInteger(first) || first < 1 || first > MAX_HISTORY_ROWS)
    throw badInput({ first: [`Request between 1 and ${MAX_HISTORY_ROWS} rows.`] });
}

/** Size and position of a page of a list with page numbers. */
@ArgsType()
export class PageArgs extends HistoryArgs {
  @Field(() => Int, {
    defaultValue: 0,
    description: "Number of rows to skip, at most 1,000,000, from the start of the list or from `after`.",
  })
  offset!: number;
}

/** The rows to read: `limit` rows after the first `offset`. */
export interface RowRange {
  readonly offset: number;
  readonly limit: number;
}

/** A page with its rows, as an action returns it. */
export interface PageOf<Row> {
  readonly rows: Row[];
  readonly total: number;
  readonly isTotalCapped: boolean;
  readonly endCursor: string | null;
}

/**
 * Builds a page of a list that is counted, and read by row number.
 * @param offset number of rows before the page
 * @param total number of rows of the list, or one more than `capped.most` if there are more than that
 * @param capped the most rows that are counted, and the size of a page. Beyond them, a full page may have one after it.
 */
export function buildCountedPage<Row>(
  rows: Row[],
  { offset, total, capped }: { offset: number; total: number; capped?: { most: number; limit: number } },
): PageOf<Row> {
  const end = offset + rows.length;
  const most = capped?.most ?? Number.POSITIVE_INFINITY;
  const isTotalCapped = total > most;
  const hasMore = end < total || (isTotalCapped && rows.length === capped?.limit);
  const endCursor = rows.length > 0 && hasMore ? Buffer.from(`row.${end}`).toString("base64url") : null;
  return { rows, total: Math.min(total, most), isTotalCapped, endCursor };
}

/**
 * Returns the rows to read for a page of a list that is read by row number.
 * @throws AppError BAD_USER_INPUT if the size or position is out of range, or the cursor is malformed
 */
export function toRowRange(args: PageArgs): RowRange {
  const { first, offset, after } = check(pageRules, args);
  // In every list, an empty cursor is its start.
  if (!after) return { offset, limit: first };
  const [, end] = /^row\.(\d{1,9})$/.exec(Buffer.from(after, "base64url").toString("latin1")) ?? [];
  if (!end) throw badInput({ after: ["Not a cursor of this list."] });
  return { offset: Number(end) + offset, limit: first };
}

/**
 * Builds a page of a history, which is read from a cursor and never counted.
 * @param found the rows of the page, and one more if there is another page
 * @param first number of rows requested
 */
export function buildHistoryPage<Found, Row = Found>(
  found: readonly Found[],
  { first, isContinued, toRow, toCursor }: HistoryOptions<Found, Row>,
): PageOf<Row> {
  const shown = found.slice(0, first);
  const last = shown.at(-1);
  const hasMore = found.length > first;
  return {
    rows: shown.map(toRow),
    total: shown.length,
    isTotalCapped: hasMore || isContinued,
    endCursor: hasMore && last ? toCursor(last) : null,
  };
}

interface HistoryOptions<Found, Row> {
  readonly first: number;
  /** Whether the page starts at a cursor, so that there are rows before it. */
  readonly isContinued: boolean;
  readonly toRow: (row: Found) => Row;
  readonly toCursor: (row: Found) => string;
}

// Costs of fields in GraphQL operations. A cost of 10 is about 1 ms of CPU time with 100,000 users, so an operation at the
// admins' limit of 10,000 takes about 1 s (docs/performance.md).

/** Creates a cost estimator for a field with a fixed cost that doesn't depend on the fields selected below it. */
export const createReadCost =
  (own: number) =>
  ({ childComplexity }: ComplexityEstimatorArgs): number =>
    own + childComplexity;

/** Creates a cost estimator for a page of a list: `own` for finding its rows, and the rows it may have. */
export const createPageCost =
  (own = 0, least = 0) =>
  ({ args, childComplexity }: ComplexityEstimatorArgs): number =>
    own + calculateRowsCost((args as { first?: number }).first, childComplexity, least);

/** Returns the cost of `rows` rows (at least one), with `least` as the minimum cost of the read itself. */
export function calculateRowsCost(rows: number | undefined, childComplexity: number, least = 0): number {
  return Math.max(least, Math.max(1, rows ?? 0) * childComplexity);
}

/** A position in a list ordered by time and key, newest first. */
export interface KeysetPosition {
  /** Microseconds since 1970, the database's precision. A `Date` would be less precise. */
  readonly micros: string;
  readonly key: string;
}

/** Formats a position as an opaque cursor. */
export function formatCursor({ micros, key }: KeysetPosition): string {
  return Buffer.from(`${micros}.${key}`).toString("base64url");
}

/**
 * Parses a cursor.
 * @param isKey returns whether a text can be the key of a row
 * @throws AppError BAD_USER_INPUT if the cursor is malformed
 */
export function parseCursor(text: string, isKey: (key: string) => boolean): KeysetPosition {
  const [, micros, key] = /^(-?\d{1,16})\.(.{1,80})$/.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (!micros || !key || !isKey(key)) throw badInput({ after: ["Not a cursor of this list."] });
  return { micros, key };
}

/** Returns the SQL expression for the time of a position, given the parameter that contains its microseconds. */
export const buildMomentSql = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`;

/** Returns SQL columns for a time in milliseconds (`atMs`) and in microseconds (`atMicros`) since 1970. */
export const buildMomentColumns = (at: string): string =>
  `(extract(epoch from ${at}) * 1000)::float8 as "atMs", (extract(epoch from ${at}) * 1000000)::bigint::text as "atMicros"`;
