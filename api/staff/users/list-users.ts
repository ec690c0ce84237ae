import { ReferenceKind } from "@mikro-orm/core";
import { userListRules, type UserListValues, type UserSelectionValues } from "#schema/user-list.ts";
import { parseEndMoment, parseMoment } from "#schema/moment.ts";
import type { Context } from "#api/platform/context.ts";
import { query, queryRow } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import {
  buildUserCountStatement,
  buildUserListStatement,
  toUserSearchQuery,
  type UserListPage,
  type UserListFilter,
  omitSortColumns,
} from "./list-users-statement.ts";
import { type SearchStrategy, chooseSearchStrategy } from "./search-strategy.ts";
import { User } from "#api/people/users/user.entity.ts";
import { parseUserCursor, formatUserCursor } from "./user-cursor.ts";

export interface UserRows {
  readonly rows: User[];
  /** Cursor to pass as `after` to get the next page; null if this page isn't full. */
  readonly endCursor: string | null;
  /** Filter of the list, for {@link countUsers}. */
  readonly wanted: UserListFilter;
  /** Search strategy of the list, for {@link countUsers}. */
  readonly strategy: SearchStrategy;
  /** Count shared by `total` and `isTotalCapped`. */
  counted?: Promise<number>;
}

/**
 * Returns a page of users. Every word of `search` must be the beginning of a word in the name, company, position,
 * email, phone or ABN; a support code finds the licence's user.
 * @throws AppError BAD_USER_INPUT if the cursor belongs to another list.
 */
export async function listUsers(context: Context, values: UserListValues): Promise<UserRows> {
  const { wanted, part } = toUserListRequest(values);
  const strategy = chooseSearchStrategy(context, wanted, part);
  const { text, values: parameters } = buildUserListStatement(wanted, part, getUserColumns(context), strategy);
  const found = await query<{ id: string; cursorKeys: string[] }>(context.em, text, parameters);
  if (part.fromEnd) found.reverse();
  const last = found.length === part.limit ? found.at(-1) : undefined;
  return {
    rows: found.map((row) => context.em.map(User, omitSortColumns(row))),
    endCursor: last ? formatUserCursor(part.sortBy, { keys: last.cursorKeys, id: last.id }) : null,
    wanted,
    strategy,
  };
}

/**
 * Returns the newest users, including archived users, that match search text as in {@link listUsers}; none if the text has
 * no words. Searches of logs look at the entries about 50 users.
 */
export async function findUsersByWords(context: Context, search: string, limit = 50): Promise<User[]> {
  if (toUserSearchQuery(search) === null) return [];
  const { rows } = await listUsers(context, {
    search,
    includeArchived: true,
    sortBy: "DATE_JOINED",
    descending: true,
    fromEnd: false,
    offset: 0,
    limit,
  });
  return rows;
}

/** Returns the column list for loading users: all columns that aren't lazy. */
export function getUserColumns({ orm }: Pick<Context, "orm">): string {
  const columns = orm.getMetadata(User).props.filter(({ kind, lazy }) => kind === ReferenceKind.SCALAR && !lazy);
  return columns.flatMap(({ fieldNames }) => fieldNames.map((name) => `u."${name}"`)).join(", ");
}

/** Counts the users of a list, up to `most`; null counts all of them, which scans the whole index. */
export async function countUsers(
  context: Pick<Context, "em">,
  { wanted, strategy }: Pick<UserRows, "wanted" | "strategy">,
  most: number | null,
): Promise<number> {
  const { text, values } = buildUserCountStatement(wanted, strategy, most);
  const { total } = await queryRow<{ total: number }>(context.em, text, values);
  return total;
}

/** Arguments of the query `users`. */
export interface UserListArgs {
  readonly filter?: object | null;
  readonly order?: { readonly by?: string | null; readonly descending?: boolean | null } | null | undefined;
  readonly first: number;
  readonly offset: number;
  readonly after?: string | null;
  readonly fromEnd: boolean;
}

/**
 * Validates the arguments of the query `users`.
 * @throws AppError BAD_USER_INPUT
 */
export function toUserListValues({ filter, order, first, offset, after, fromEnd }: UserListArgs): UserListValues {
  const sorting = { sortBy: order?.by ?? undefined, descending: order?.descending ?? undefined };
  const values = check(userListRules, { ...filter, ...sorting, fromEnd, after: after ?? undefined });
  return { ...values, ...toRowRange({ first, offset }) };
}

/**
 * Converts a validated filter to the parameters of {@link buildUserListStatement}. The default order is newest first.
 * @throws AppError BAD_USER_INPUT if the cursor belongs to another list or is combined with `fromEnd`.
 */
export function toUserListRequest(values: UserListValues): { wanted: UserListFilter; part: UserListPage } {
  const { sortBy, after, fromEnd, offset, limit } = values;
  if (fromEnd && after) throw badInput({ fromEnd: ["Use either after or fromEnd."] });
  return {
    wanted: toUserListFilter(values),
    part: {
      sortBy,
      descending: values.descending ?? sortBy === "DATE_JOINED",
      after: after ? parseUserCursor(sortBy, after) : undefined,
      fromEnd: fromEnd ?? false,
      offset,
      limit,
    },
  };
}

/** Converts validated values to the filter of {@link buildUserListStatement}. */
export function toUserListFilter(values: Partial<UserSelectionValues>): UserListFilter {
  const { search, userTypes, startDate, endDate, includeArchived, userIds } = values;
  return {
    search,
    userTypes,
    joinedFrom: (startDate && parseMoment(startDate)) || undefined,
    joinedBefore: (endDate && parseEndMoment(endDate)) || undefined,
    includeArchived,
    userIds,
  };
}
