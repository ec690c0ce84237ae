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
  /** Given as `after`, it leads to what follows; null for an empty page. */
  readonly endCursor: string | null;
  /** What was asked for, to be counted by {@link countUsers} where the total is wanted. */
  readonly wanted: UsersWanted;
  /** How they were found, and are to be counted. */
  readonly way: SearchWay;
}

/**
 * A page of the users that are wanted: whose name, company, position, email, phone or ABN holds every word of `search`
 * at a word's start, or who have the licence when that is its support code.
 * @throws AppError BAD_USER_INPUT for a cursor of another list.
 */
export async function listUsers(context: Context, values: UserListValues): Promise<UserRows> {
  const { wanted, part } = askedOfUsers(values);
  const way = searchWay(context, wanted, part);
  const { text, values: parameters } = listUsersStatement(wanted, part, columnsOfUser(context), way);
  const found = await query<{ id: string; cursorKeys: string[] }>(context.em, text, parameters);
  if (part.fromEnd) found.reverse();
  const last = found.at(-1);
  return {
    rows: found.map((row) => context.em.map(User, withoutPlaces(row))),
    endCursor: last ? userCursor(part.sortBy, { keys: last.cursorKeys, id: last.id }) : null,
    wanted,
    way,
  };
}

/**
 * The newest users, archived ones too, who are found by what was typed; as {@link listUsers} searches, but nobody where
 * no word was typed.
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

/** What a user is read with: the columns that are `chosen`, but those that are read when asked for alone; `id` always. */
export function columnsOfUser({ orm }: Pick<Context, "orm">, chosen = (_column: string) => true): string {
  const columns = orm.getMetadata(User).props.filter(({ kind, lazy }) => kind === ReferenceKind.SCALAR && !lazy);
  const names = columns.flatMap(({ fieldNames }) => fieldNames).filter((name) => name === "id" || chosen(name));
  return names.map((name) => `u."${name}"`).join(", ");
}

/** Counts the users of a list, up to `most`; null counts them all, which reads the index of the whole list. */
export async function countUsers(
  context: Pick<Context, "em">,
  { wanted, way }: Pick<UserRows, "wanted" | "way">,
  most: number | null,
): Promise<number> {
  const { text, values } = countUsersStatement(wanted, way, most);
  const [row] = await query<{ total: number }>(context.em, text, values);
  return row?.total ?? 0;
}

/**
 * A checked filter in the words of the statement. Newest first where no order is named.
 * @throws AppError BAD_USER_INPUT for a cursor of another list, or for a cursor together with `fromEnd`.
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
