import { type Static, type TSchema, Type } from "typebox";
import { contactFields, contactTypes, type ContactValues } from "#schema/contact.ts";
import { pickFields } from "#schema/field.ts";
import { memberTypes } from "#schema/user.ts";
import type { UserFilterValues } from "#schema/user-list.ts";
import type { Context } from "#api/platform/context.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { toLicenceJson, licenceShape } from "#api/licensing/licences/licence.json.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { count, id, moment, namedObject, catalogueNumber, text, flag } from "#api/platform/http/define-route.ts";
import { query } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import { profileFields, toProfileJson } from "#api/people/users/profile.json.ts";
import { getUser, type User } from "#api/people/users/user.entity.ts";
import { listLicences } from "#api/licensing/licences/list-licences.ts";
import { toUserListRequest, countUsers } from "./list-users.ts";
import { buildUserListStatement, omitSortColumns } from "./list-users-statement.ts";
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
 * Converts a user to the response of `GET /v1/users/{id}`. Text is never null. The revision is left out so that a client
 * can send the same object more than once without a conflict.
 */
export function userJson(
  context: Pick<Context, "actor" | "clock">,
  user: User,
  parts: { contacts: readonly Contact[]; licences: readonly Licence[]; blockedMachines: readonly BlockedMachine[] },
): Static<typeof userShape> {
  return {
    ...toProfileJson(user),
    serviceProvider: user.isServiceProvider,
    ...pick(user, "abn", "referrer", "issuedW8Form", "completedSecurityInformation", "completedSoftwareQA"),
    ...pick(user, "isSubscribedToNewsLetter", "hasCompletedTrial", "annualDeactivationLimit"),
    registationDate: user.registeredAt.toISOString(),
    ...pick(user, "isActive", "emailConfirmed"),
    blockedMachines: parts.blockedMachines.map(({ id, machineName, blockedAt }) => ({
      id,
      machineName,
      dateBlocked: blockedAt.toISOString(),
      isNew: false as const,
    })),
    contacts: parts.contacts.map((contact) => ({
      id: contact.id,
      userId: user.id,
      ...pickFields(contactFields, contact),
    })),
    licences: parts.licences.map((licence) => toLicenceJson(context, licence)),
  };
}

/** Maximum number of rows of each kind returned for a user. */
const MAX_RELATED_ROWS = 1_000;

/**
 * Returns a user with contacts, licences and blocked machines.
 * @throws AppError NOT_FOUND if the id is unknown or malformed.
 */
export async function getUserDetails(context: Context, id: string) {
  const user = await getUser(context, id);
  const { em } = context;
  return {
    user,
    contacts: await em.find(
      Contact,
      { user: user.id },
      { orderBy: { lastName: "asc", firstName: "asc", id: "asc" }, limit: MAX_RELATED_ROWS },
    ),
    blockedMachines: await em.find(
      BlockedMachine,
      { user: user.id },
      { orderBy: { blockedAt: "desc", machineName: "asc" }, limit: MAX_RELATED_ROWS },
    ),
    licences: await listLicences(context, user.id),
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
