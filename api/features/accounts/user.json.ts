import type { BlockedMachine } from "#api/features/devices/blocked-machine.entity.ts";
import type { Contact } from "#api/features/contacts/contact.entity.ts";
import { licenceJson } from "#api/features/licences/licence.json.ts";
import type { Licence } from "#api/features/licences/licence.entity.ts";
import { profileJson } from "./profile.json.ts";
import type { User } from "./user.entity.ts";

/**
 * A user as `GET /v1/users/{id}` shows it to staff, under the wire names of spec, admin §3; text is never null. Without
 * the revision: a documented client that sends the object back twice must not be refused the second time.
 */
export function userJson(
  user: User,
  parts: { contacts: readonly Contact[]; licences: readonly Licence[]; blockedMachines: readonly BlockedMachine[] },
  now: Date,
) {
  return {
    ...profileJson(user),
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
      isNew: false,
    })),
    contacts: parts.contacts.map(({ id, firstName, lastName, email, phone, contactType }) => ({
      id,
      userId: user.id,
      firstName,
      lastName,
      email,
      phone,
      contactType,
    })),
    licences: parts.licences.map((licence) => licenceJson(licence, now)),
  };
}
