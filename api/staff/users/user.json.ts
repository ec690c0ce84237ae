import { type Static, type TSchema, Type } from "typebox";
import { contactFields, contactTypes, type ContactValues } from "#schema/contact.ts";
import { pickFields } from "#schema/field.ts";
import type { Context } from "#api/platform/context.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { toLicenceJson, licenceShape } from "#api/licensing/licences/licence.json.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { count, id, moment, namedObject, catalogueNumber, text, flag } from "#api/platform/http/define-route.ts";
import { profileFields, toProfileJson } from "#api/people/users/profile.json.ts";
import { getUser, type User } from "#api/people/users/user.entity.ts";
import { listLicences } from "#api/licensing/licences/list-licences.ts";

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
    abn: user.abn,
    referrer: user.referrer,
    issuedW8Form: user.issuedW8Form,
    completedSecurityInformation: user.completedSecurityInformation,
    completedSoftwareQA: user.completedSoftwareQA,
    isSubscribedToNewsLetter: user.isSubscribedToNewsLetter,
    hasCompletedTrial: user.hasCompletedTrial,
    annualDeactivationLimit: user.annualDeactivationLimit,
    registationDate: user.registeredAt.toISOString(),
    isActive: user.isActive,
    emailConfirmed: user.emailConfirmed,
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
const MAX_ROWS = 1_000;

/**
 * Returns a user with contacts, licences and blocked machines.
 * @throws AppError NOT_FOUND if the id is unknown or malformed.
 */
export async function getUserDetails(context: Context, id: string) {
  const user = await getUser(context, id);
  const { em } = context;
  return {
    user,
    contacts: await em.find(Contact, { user: user.id }, { orderBy: { lastName: "asc", id: "asc" }, limit: MAX_ROWS }),
    blockedMachines: await em.find(
      BlockedMachine,
      { user: user.id },
      { orderBy: { blockedAt: "desc", machineName: "asc" }, limit: MAX_ROWS },
    ),
    licences: await listLicences(context, user.id),
  };
}
