import { badInput } from "#api/platform/errors.ts";

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
