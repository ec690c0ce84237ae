import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { staffFields } from "#api/people/users/staff-fields.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** A user's {@link staffFields} as the audit log keeps them. */
export function staffValuesOf(user: User): AuditedValues {
  return Object.fromEntries(staffFields.map((name) => [name, user[name]]));
}
