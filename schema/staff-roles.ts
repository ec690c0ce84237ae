import { defineList, listValues, type ValueOf } from "./closed-list.ts";

/**
 * Roles of admins, in the order they are offered (decision 0059). Owners may do everything. An admin without a role is an
 * owner. `api/app/permissions.ts` names the roles that may use each operation. The portal shows the descriptions.
 */
export const staffRoles = defineList("StaffRole", "A role of an admin.", {
  OWNER: ["owner", "Owner", "Everything, including admins, roles and erasing users."],
  SUPPORT: [
    "support",
    "Support",
    "Users, licences with their codes, devices, contacts, comments, sessions and bulk work.",
  ],
  FINANCE: [
    "finance",
    "Finance",
    "Prices, promo codes, invoices, subscriptions and reports. No comments, sessions, IP addresses or licence codes.",
  ],
  RELEASE: ["release", "Release", "Software builds, and nothing about customers."],
});
export type StaffRole = ValueOf<typeof staffRoles>;

/** Roles that work with customers: what they read of users, licences and billing. */
export const customerStaff = ["support", "finance"] as const satisfies readonly StaffRole[];

/** All staff roles, in the order they are offered. */
export const staffRoleNames = listValues(staffRoles);

/** Returns whether an admin with these roles may do what `role` allows. */
export function hasStaffRole(roles: readonly string[], role: StaffRole): boolean {
  return roles.length === 0 || roles.includes("owner") || roles.includes(role);
}
