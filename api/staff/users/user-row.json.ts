import type { Static } from "typebox";
import { memberTypes } from "#schema/user.ts";
import { id, moment, namedObject, catalogueNumber, text, flag } from "#api/platform/http/define-route.ts";
import type { UserFilterValues } from "#schema/user-list.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { toUserListRequest, countUsers } from "./list-users.ts";
import { buildUserListStatement, omitSortColumns } from "./list-users-statement.ts";
import { formatUserCursor } from "./user-cursor.ts";

/** A row in the response of `POST /v1/users/filter`. */
export const userRowShape = namedObject("UserRow", {
  id,
  firstName: text,
  lastName: text,
  companyName: text,
  email: text,
  mobile: text,
  userType: catalogueNumber(memberTypes),
  registationDate: moment,
  isActive: flag,
  emailConfirmed: flag,
});
export type UserRowJson = Static<typeof userRowShape>;

const columns = `u.id, u.first_name as "firstName", u.last_name as "lastName", u.company_name as "companyName", u.email,
  u.mobile, u.member_type as "userType", (extract(epoch from u.registered_at) * 1000)::float8 as "registeredMs",
  u.archived_at is null as "isActive", u.email_confirmed_at is not null as "emailConfirmed"`;

/** Maximum number of rows on a page. */
export const MAX_ROWS = 10_000;

export interface FilteredUsers {
  readonly rows: UserRowJson[];
  /** Number of rows that match the filter, across all pages. */
  readonly total: number;
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Returns a page of users by member type and registration date, newest first, with at most {@link MAX_ROWS} rows.
 * @throws AppError BAD_USER_INPUT under `after` if the cursor is malformed.
 */
export async function listFilteredUsersJson(
  context: Context,
  filter: UserFilterValues,
  after: string | undefined,
  most = MAX_ROWS,
): Promise<FilteredUsers> {
  const { wanted, part } = toUserListRequest({
    ...filter,
    sortBy: "DATE_JOINED",
    after,
    fromEnd: false,
    offset: 0,
    limit: most + 1,
  });
  const { text, values } = buildUserListStatement(wanted, part, columns, "planned");
  type Row = Omit<UserRowJson, "registationDate"> & { registeredMs: number };
  const found = await query<Row & { cursorKeys: string[] }>(context.em, text, values);
  const page = found.slice(0, most);
  const last = page.at(-1);
  const hasMore = found.length > most && last !== undefined;
  return {
    rows: page.map((one) => {
      const { registeredMs, ...row } = omitSortColumns<Row>(one);
      return { ...row, registationDate: new Date(registeredMs).toISOString() };
    }),
    total: hasMore || after ? await countUsers(context, { wanted, strategy: "planned" }, null) : page.length,
    next: hasMore ? formatUserCursor("DATE_JOINED", { keys: last.cursorKeys, id: last.id }) : null,
  };
}
