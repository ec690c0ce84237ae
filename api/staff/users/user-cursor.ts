import { momentOf } from "#schema/rules/moment.ts";
import type { UserSort } from "#schema/rules/user-list.ts";
import { badInput } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { UserCursor } from "./list-users-statement.ts";

const isText = (key: string) => key.isWellFormed() && !key.includes("\u0000");
const isYesOrNo = (key: string) => key === "true" || key === "false";
/** As PostgreSQL writes a timestamp of the years 1 to 9999, and reads it again. */
const isMoment = (key: string) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{0,5}[1-9])?$/.test(key) && momentOf(key) !== null;

/** Which keys an order can have: what comes from outside must not fail in the database. */
const areKeysOf: Readonly<Record<UserSort, readonly ((key: string) => boolean)[]>> = {
  FIRST_NAME: [isText],
  LAST_NAME: [isText],
  COMPANY: [isText],
  EMAIL: [isText],
  USER_TYPE: [(key) => /^\d{1,2}$/.test(key), isMoment],
  DATE_JOINED: [isMoment],
  ACTIVE: [isYesOrNo, isMoment],
  EMAIL_CONFIRMED: [isYesOrNo, isMoment],
};

/** A place in the list of users, as clients hand it back. */
export function userCursor(sortBy: UserSort, { keys, id }: UserCursor): string {
  return Buffer.from(JSON.stringify([sortBy, id, ...keys])).toString("base64url");
}

/** The same in SQL, for a row of `page`, which has the columns of the list's statement. */
export function userCursorIn(sortBy: UserSort, page: string): string {
  const texts = `(select string_agg(to_json(key)::text, ',' order by n) from unnest(array['${sortBy}', ${page}.id::text]
    || ${page}."cursorKeys") with ordinality keys (key, n))`;
  const base64 = `encode(convert_to('[' || ${texts} || ']', 'UTF8'), 'base64')`;
  // PostgreSQL breaks its lines, and knows no alphabet for addresses.
  return `rtrim(translate(${base64}, E'+/\\n', '-_'), '=')`;
}

/** @throws AppError BAD_USER_INPUT for what is no place in the list in this order. */
export function readUserCursor(sortBy: UserSort, text: string): UserCursor {
  const [order, id, ...keys] = partsOf(text);
  const tests = areKeysOf[sortBy];
  const fits = order === sortBy && isUuid(id) && keys.length === tests.length;
  if (!fits || !keys.every((key, index) => tests[index]?.(key)))
    throw badInput({ after: ["This is no cursor of the list of users in this order."] });
  return { keys, id };
}

function partsOf(text: string): [string, string, ...string[]] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length > 1 && parts.every((part) => typeof part === "string"))
      return parts as [string, string, ...string[]];
  } catch {
    // Told below.
  }
  return ["", ""];
}
