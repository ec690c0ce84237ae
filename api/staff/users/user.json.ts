import { type Static, type TSchema, Type } from "typebox";
import { contactFields, contactTypes, type ContactValues } from "#schema/contact.ts";
import { pickFields } from "#schema/field.ts";
import { memberTypes } from "#schema/user.ts";
import type { UserFilterValues } from "#schema/user-list.ts";
import type { Context } from "#api/platform/context.ts";
import { toLicenceJson, licenceShape } from "#api/licensing/licences/licence.json.ts";
import { count, id, moment, namedObject, catalogueNumber, text, flag } from "#api/platform/http/define-route.ts";
import { query } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import { profileFields, toProfileJson } from "#api/people/users/profile.json.ts";
import { getUser } from "#api/people/users/user.entity.ts";
import { toUserListRequest, countUsers } from "./list-users.ts";
import { buildUserListStatement, omitSortColumns } from "./list-users-statement.ts";
import { userRelations } from "./user.sql.ts";
import { formatUserCursor } from "./user-cursor.ts";

/** A user with the fields that only staff see. */
export const userShape = namedObject("User", {
  ...profileFields,
  serviceProvider: flag,
  abn: text,
  referrer: text,
  issuedW8Form: flag,
  completedSecurityInformation: flag,
  completedSoftwareQA: flag,
  isSubscribedToNewsLetter: flag,
  hasCompletedTrial: flag,
  annualDeactivationLimit: count,
  registationDate: moment,
  isActive: flag,
  emailConfirmed: flag,
  blockedMachines: Type.Array(
    namedObject("BlockedMachine", { id, machineName: text, dateBlocked: moment, isNew: Type.Literal(false) }),
  ),
  contacts: Type.Array(
    namedObject("Contact", {
      id,
      userId: id,
      firstName: text,
      lastName: text,
      email: text,
      phone: text,
      contactType: catalogueNumber(contactTypes),
    } satisfies Record<keyof ContactValues | "id" | "userId", TSchema>),
  ),
  licences: Type.Array(licenceShape),
});

/**
 * Returns a user with contacts, licences and blocked machines, as in the response of `GET /v1/users/{id}`. Text is never
 * null. The revision is left out so that a client can send the same object more than once without a conflict.
 * @throws AppError NOT_FOUND if the id is unknown or malformed.
 */
export async function getUserJson(context: Context, id: string): Promise<Static<typeof userShape>> {
  const user = await getUser(context, id);
  const contacts = await userRelations.contacts(context, user.id);
  const licences = await userRelations.licences(context, user.id);
  const blockedMachines = await userRelations.blockedMachines(context, user.id);
  return {
    ...toProfileJson(user),
    serviceProvider: user.isServiceProvider,
    ...pick(user, "abn", "referrer", "issuedW8Form", "completedSecurityInformation", "completedSoftwareQA"),
    ...pick(user, "isSubscribedToNewsLetter", "hasCompletedTrial", "annualDeactivationLimit"),
    registationDate: user.registeredAt.toISOString(),
    ...pick(user, "isActive", "emailConfirmed"),
    blockedMachines: blockedMachines.toReversed().map(({ id, machineName, blockedAt }) => ({
      id,
      machineName,
      dateBlocked: blockedAt.toISOString(),
      isNew: false as const,
    })),
    contacts: contacts.map((contact) => ({
      id: contact.id,
      userId: user.id,
      ...pickFields(contactFields, contact),
    })),
    licences: licences.map((licence) => toLicenceJson(context, licence)),
  };
}

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
type UserRowJson = Static<typeof userRowShape>;

const columns = `u.id, u.first_name as "firstName", u.last_name as "lastName", u.company_name as "companyName", u.email,
  u.mobile, u.member_type as "userType", (extract(epoch from u.registered_at) * 1000)::float8 as "registeredMs",
  u.archived_at is null as "isActive", u.email_confirmed_at is not null as "emailConfirmed"`;

/** Maximum number of rows on a page. */
export const MAX_ROWS = 10_000;

interface FilteredUsers {
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
): Promise<FilteredUsers> {
  const { wanted, part } = toUserListRequest({
    ...filter,
    sortBy: "DATE_JOINED",
    after,
    fromEnd: false,
    offset: 0,
    limit: MAX_ROWS + 1,
  });
  const { text, values } = buildUserListStatement(wanted, part, columns, "planned");
  type Row = Omit<UserRowJson, "registationDate"> & { registeredMs: number };
  const found = await query<Row & { cursorKeys: string[] }>(context.em, text, values);
  const page = found.slice(0, MAX_ROWS);
  const last = found.length > MAX_ROWS ? page.at(-1) : undefined;
  return {
    rows: page.map((one) => {
      const { registeredMs, ...row } = omitSortColumns<Row>(one);
      return { ...row, registationDate: new Date(registeredMs).toISOString() };
    }),
    total: last || after ? await countUsers(context, { wanted, strategy: "planned" }, null) : page.length,
    next: last ? formatUserCursor("DATE_JOINED", { keys: last.cursorKeys, id: last.id }) : null,
  };
}
