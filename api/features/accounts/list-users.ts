import { type FilterQuery, raw } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { readSupportCode } from "#api/features/licences/support-code.ts";
import { User } from "./user.entity.ts";

/** A page of users, newest first. */
export interface UserRows {
  readonly rows: User[];
  /** At most 10,000: counting further costs more than anyone reads. */
  readonly total: number;
}

const maxTotal = 10_000;

/**
 * Users whose name, company or email has a word that begins with `search` (spec, admin §2), and who has the
 * licence when that is its support code.
 */
export async function listUsers(
  context: Context,
  values: { search?: string | undefined; offset: number; limit: number },
): Promise<UserRows> {
  const where = values.search ? whereFound(values.search) : {};
  const rows = await context.em.find(User, where, {
    orderBy: { registeredAt: "desc", id: "desc" },
    offset: values.offset,
    limit: values.limit,
  });
  const total =
    rows.length < values.limit && (rows.length > 0 || values.offset === 0)
      ? values.offset + rows.length
      : Math.min(await context.em.count(User, where), maxTotal);
  return { rows, total };
}

function whereFound(search: string): FilterQuery<User> {
  const byWords: FilterQuery<User> = {
    [raw(
      (alias) =>
        `(${alias}.first_name || ' ' || ${alias}.last_name || ' ' || ${alias}.company_name || ' ' || ${alias}.email) ~* ?`,
      [`\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}`],
    )]: [],
  };
  const supportCode = readSupportCode(search);
  return supportCode ? { $or: [byWords, { licences: { $some: { supportCode } } }] } : byWords;
}

/**
 * One user by id.
 * @throws AppError NOT_FOUND
 */
export async function getUser(context: Context, id: string): Promise<User> {
  const user = isUuid(id) ? await context.em.findOne(User, id) : null;
  if (!user) throw notFound();
  return user;
}
