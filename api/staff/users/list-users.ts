import { ReferenceKind } from "@mikro-orm/core";
import type { UserListValues } from "#schema/rules/user-list.ts";
import { endMomentOf, momentOf } from "#schema/rules/moment.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import {
  countUsersStatement,
  listUsersStatement,
  userSearchQuery,
  type UsersPart,
  type UsersWanted,
  withoutPlaces,
} from "./list-users-statement.ts";
import { type SearchWay, searchWay } from "./search-way.ts";
import { User } from "#api/people/users/user.entity.ts";
import { readUserCursor, userCursor } from "./user-cursor.ts";

/** A page of users. */
export interface UserRows {
  readonly rows: User[];
  /** Pass as `after` to get the next page; null for an empty page. */
  readonly endCursor: string | null;
  /** Filter of the list, for {@link countUsers}. */
  readonly wanted: UsersWanted;
  /** Search strategy of the list, for {@link countUsers}. */
  readonly strategy: SearchWay;
}

/**
 * Returns a page of users. Every word of `search` must start a word of the name, company, position, email, phone or ABN;
 * a support code finds the licence's user.
 * @throws AppError BAD_USER_INPUT if the cursor belongs to another list.
 */
export async function listUsers(context: Context, values: UserListValues): Promise<UserRows> {
  const { wanted, part } = askedOfUsers(values);
  const strategy = searchWay(context, wanted, part);
  const { text, values: parameters } = listUsersStatement(wanted, part, columnsOfUser(context), strategy);
  const found = await query<{ id: string; cursorKeys: string[] }>(context.em, text, parameters);
  if (part.fromEnd) found.reverse();
  const last = found.at(-1);
  return {
    rows: found.map((row) => context.em.map(User, withoutPlaces(row))),
    endCursor: last ? userCursor(part.sortBy, { keys: last.cursorKeys, id: last.id }) : null,
    wanted,
    strategy,
  };
}

/**
 * Returns the newest users, including archived users, that match search text as in {@link listUsers}; none if the text has
 * no words.
 */
export async function findUsersByWords(context: Context, search: string, limit: number): Promise<User[]> {
  if (userSearchQuery(search) === null) return [];
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

/** Returns the column list for loading users: `id` and all chosen columns that aren't lazy. */
export function columnsOfUser({ orm }: Pick<Context, "orm">, chosen = (_column: string) => true): string {
  const columns = orm.getMetadata(User).props.filter(({ kind, lazy }) => kind === ReferenceKind.SCALAR && !lazy);
  const names = columns.flatMap(({ fieldNames }) => fieldNames).filter((name) => name === "id" || chosen(name));
  return names.map((name) => `u."${name}"`).join(", ");
}

/** Counts the users of a list, up to `most`; null counts all of them, which scans the whole index. */
export async function countUsers(
  context: Pick<Context, "em">,
  { wanted, strategy }: Pick<UserRows, "wanted" | "strategy">,
  most: number | null,
): Promise<number> {
  const { text, values } = countUsersStatement(wanted, strategy, most);
  const [row] = await query<{ total: number }>(context.em, text, values);
  return row?.total ?? 0;
}

/**
 * Converts a validated filter to the parameters of {@link listUsersStatement}. The default order is newest first.
 * @throws AppError BAD_USER_INPUT if the cursor belongs to another list or is combined with `fromEnd`.
 */
export function askedOfUsers(values: UserListValues): { wanted: UsersWanted; part: UsersPart } {
  const { search, userTypes, startDate, endDate, includeArchived, sortBy, after, fromEnd, offset, limit } = values;
  if (fromEnd && after !== undefined) throw badInput({ fromEnd: ["Use either after or fromEnd."] });
  return {
    wanted: {
      search,
      userTypes,
      joinedFrom: (startDate && momentOf(startDate)) || undefined,
      joinedBefore: (endDate && endMomentOf(endDate)) || undefined,
      includeArchived,
    },
    part: {
      sortBy,
      descending: values.descending ?? sortBy === "DATE_JOINED",
      after: after === undefined ? undefined : readUserCursor(sortBy, after),
      fromEnd: fromEnd ?? false,
      offset,
      limit,
    },
  };
}
