import { momentOf } from "#schema/rules/moment.ts";
import type { UserSort } from "#schema/rules/user-list.ts";
import { badInput } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import type { UserCursor } from "./list-users-statement.ts";

const isText = (key: string) => key.isWellFormed() && !key.includes("\u0000");
const isYesOrNo = (key: string) => key === "true" || key === "false";

/** Which keys an order can have: what comes from outside must not fail in the database. */
const isKeyOf: Readonly<Record<UserSort, (key: string) => boolean>> = {
  FIRST_NAME: isText,
  LAST_NAME: isText,
  COMPANY: isText,
  EMAIL: isText,
  USER_TYPE: (key) => /^\d{1,2}$/.test(key),
  DATE_JOINED: (key) => momentOf(key) !== null,
  ACTIVE: isYesOrNo,
  EMAIL_CONFIRMED: isYesOrNo,
};

/** A place in the list of users, as clients hand it back. */
export function userCursor(sortBy: UserSort, { key, id }: UserCursor): string {
  return Buffer.from(JSON.stringify([sortBy, key, id])).toString("base64url");
}

/** @throws AppError BAD_USER_INPUT for what is no place in the list in this order. */
export function readUserCursor(sortBy: UserSort, text: string): UserCursor {
  const [order, key, id] = partsOf(text);
  if (order !== sortBy || typeof key !== "string" || typeof id !== "string" || !isUuid(id) || !isKeyOf[sortBy](key))
    throw badInput({ after: ["This is no cursor of the list of users in this order."] });
  return { key, id };
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
