import { badInput } from "./errors.ts";

/** The place in a list that is ordered by a moment and a key, newest first. */
export interface KeysetPlace {
  /** Microseconds since 1970: what the database orders by, finer than a `Date`. */
  readonly micros: string;
  readonly key: string;
}

/** A place as clients carry it back and forth; they can't do anything with it but give it back. */
export function writeCursor({ micros, key }: KeysetPlace): string {
  return Buffer.from(`${micros}.${key}`).toString("base64url");
}

/** The place of a cursor whose key has the given shape. @throws AppError BAD_USER_INPUT for what is none. */
export function readCursor(text: string, keyShape: RegExp): KeysetPlace {
  const [, micros, key] = /^(-?\d{1,16})\.(.{1,80})$/.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (!micros || !key || !keyShape.test(key)) throw badInput({ after: ["This is no cursor of this list."] });
  return { micros, key };
}

/** The moment of a place, in SQL, from the parameter that holds its microseconds. */
export const momentOf = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`;

/** A moment's milliseconds and microseconds since 1970, as columns `atMs` and `atMicros`. */
export const momentColumns = (at: string): string =>
  `(extract(epoch from ${at}) * 1000)::float8 as "atMs", (extract(epoch from ${at}) * 1000000)::bigint::text as "atMicros"`;
