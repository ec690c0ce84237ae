import type { Static } from "typebox";
import { memberTypes } from "#schema/catalogue.ts";
import { id, moment, named, numberOf, text, truth } from "#api/platform/json-shapes.ts";
import type { UserFilterValues } from "#schema/rules/user-list.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { askedOfUsers } from "./list-users.ts";
import { listUsersStatement, MOST_COUNTED, withoutPlaces } from "./list-users-statement.ts";

/** A row of `POST /v1/users/filter`, spelt as the specification spells it (spec, admin §3). */
export const userRowShape = named("UserRow", {
  id,
  firstName: text,
  lastName: text,
  companyName: text,
  email: text,
  mobile: text,
  userType: numberOf(memberTypes),
  registationDate: moment,
  isActive: truth,
  emailConfirmed: truth,
});
export type UserRowJson = Static<typeof userRowShape>;

const columns = `u.id, u.first_name as "firstName", u.last_name as "lastName", u.company_name as "companyName", u.email,
  u.mobile, u.member_type as "userType", (extract(epoch from u.registered_at) * 1000)::float8 as "registeredMs",
  u.archived_at is null as "isActive", u.email_confirmed_at is not null as "emailConfirmed"`;

/** Rows of one answer; the call has no pages, so that who has more asks for shorter times. */
export const MOST_ROWS = MOST_COUNTED;

/** The users of some types who registered within some days, newest first, at most {@link MOST_ROWS}. */
export async function filteredUsersJson(context: Context, filter: UserFilterValues): Promise<UserRowJson[]> {
  const { wanted, part } = askedOfUsers({
    ...filter,
    sortBy: "DATE_JOINED",
    offset: 0,
    limit: MOST_ROWS,
  });
  const { text, values } = listUsersStatement(wanted, part, columns, "planned");
  type Row = Omit<UserRowJson, "registationDate"> & { registeredMs: number };
  const rows = await query<Row & { cursorKeys: string[] }>(context.em, text, values);
  return rows.map((one) => {
    const { registeredMs, ...row } = withoutPlaces<Row>(one);
    return { ...row, registationDate: new Date(registeredMs).toISOString() };
  });
}
