import { defineList, listValues, type ValueOf } from "./closed-list.ts";

/**
 * Roles of admins, in the order they are offered (decision 0059). Owners may do everything. An admin without a role is an
 * owner. `api/app/permissions.ts` names the roles that may use each operation. The portal shows the descriptions.
 */
export const staffRoles = defineList("StaffRole", "A role of an admin.", [
  {
    code: "OWNER",
    value: "owner",
    label: "Owner",
    description: "Everything, including admins, roles and erasing users.",
  },
  {
    code: "SUPPORT",
    value: "support",
    label: "Support",
    description: "Users, licences, devices, contacts, comments and bulk work.",
  },
  {
    code: "FINANCE",
    value: "finance",
    label: "Finance",
    description: "Promo codes, invoices, subscriptions and reports.",
  },
  { code: "RELEASE", value: "release", label: "Release", description: "Software builds." },
] as const);
export type StaffRole = ValueOf<typeof staffRoles>;

/** All staff roles, in the order they are offered. */
export const staffRoleNames = listValues(staffRoles);

/** Returns whether an admin with these roles may do what `role` allows. */
export function hasStaffRole(roles: readonly string[], role: StaffRole): boolean {
  return roles.length === 0 || roles.includes("owner") || roles.includes(role);
}
