import { parseMoment } from "#schema/moment.ts";
import type { UserSort } from "#schema/user-list.ts";
import { badInput } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { UserCursor } from "./list-users-statement.ts";

const isText = (key: string) => key.isWellFormed() && !key.includes("\u0000");
const isBoolean = (key: string) => key === "true" || key === "false";
/** Checks for PostgreSQL's text format of a timestamp in the years 1 to 9999. */
const isMoment = (key: string) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{0,5}[1-9])?$/.test(key) && parseMoment(key) !== null;

/** Validators for the cursor keys of each sort order. Invalid keys from a client must not reach the database. */
const keyValidators: Readonly<Record<UserSort, readonly ((key: string) => boolean)[]>> = {
  FIRST_NAME: [isText],
  LAST_NAME: [isText],
  COMPANY: [isText],
  EMAIL: [isText],
  USER_TYPE: [(key) => /^\d{1,2}$/.test(key), isMoment],
  DATE_JOINED: [isMoment],
  ACTIVE: [isBoolean, isMoment],
  EMAIL_CONFIRMED: [isBoolean, isMoment],
};

/** Encodes a position in the user list as an opaque cursor. */
export function formatUserCursor(sortBy: UserSort, { keys, id }: UserCursor): string {
  return Buffer.from(JSON.stringify([sortBy, id, ...keys])).toString("base64url");
}

/** Returns SQL that encodes the cursor of a row. `page` names a result of the list statement. */
export function buildUserCursorSql(sortBy: UserSort, page: string): string {
  const texts = `(select string_agg(to_json(key)::text, ',' order by n) from unnest(array['${sortBy}', ${page}.id::text]
    || ${page}."cursorKeys") with ordinality keys (key, n))`;
  const base64 = `encode(convert_to('[' || ${texts} || ']', 'UTF8'), 'base64')`;
  // PostgreSQL's base64 contains line breaks and doesn't use the URL-safe alphabet.
  return `rtrim(translate(${base64}, E'+/\\n', '-_'), '=')`;
}

/** @throws AppError BAD_USER_INPUT if the cursor is malformed or belongs to another order. */
export function parseUserCursor(sortBy: UserSort, text: string): UserCursor {
  const [order, id, ...keys] = decode(text);
  const validators = keyValidators[sortBy];
  const fits = order === sortBy && isUuid(id) && keys.length === validators.length;
  if (!fits || !keys.every((key, index) => validators[index]?.(key)))
    throw badInput({ after: ["This cursor isn't valid for the user list in this order."] });
  return { keys, id };
}

function decode(text: string): [string, string, ...string[]] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length > 1 && parts.every((part) => typeof part === "string"))
      return parts as [string, string, ...string[]];
  } catch {
    // The caller reports malformed cursors.
  }
  return ["", ""];
}
