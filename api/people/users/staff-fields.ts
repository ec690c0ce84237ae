import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { User } from "./user.entity.ts";

/** Everything of a user that staff edit; another value of one of them is another `revision`. */
export const staffFields = [
  "firstName",
  "lastName",
  "memberType",
  "companyName",
  "position",
  "email",
  "mobile",
  "abn",
  "fullAddress",
  "unitNumber",
  "streetNumber",
  "streetName",
  "city",
  "state",
  "postCode",
  "country",
  "referrer",
  "isServiceProvider",
  "isTester",
  "issuedW8Form",
  "completedSecurityInformation",
  "completedSoftwareQA",
  "isSubscribedToNewsLetter",
  "hasCompletedTrial",
  "annualDeactivationLimit",
] as const satisfies readonly (keyof User)[];

/** A user's {@link staffFields} as the audit log keeps them. */
export function staffValuesOf(user: User): AuditedValues {
  return Object.fromEntries(staffFields.map((name) => [name, user[name]]));
}
