interface StaffRoleText {
  readonly label: string;
  /** Rights of the role, as shown next to its checkbox. */
  readonly explanation: string;
}

/**
 * Roles of admins, in the order they are offered (decision 0059). Owners may do everything. An admin without a role is an
 * owner. `api/app/permissions.ts` names the roles that may use each operation.
 */
export const staffRoles = {
  owner: { label: "Owner", explanation: "Everything, including admins, roles and erasing users." },
  support: {
    label: "Support",
    explanation: "Users, licences with their codes, devices, contacts, comments, sessions and bulk work.",
  },
  finance: {
    label: "Finance",
    explanation:
      "Prices, promo codes, invoices, subscriptions and reports. No comments, sessions, IP addresses or licence codes.",
  },
  release: { label: "Release", explanation: "Software builds, and nothing about customers." },
} as const satisfies Readonly<Record<string, StaffRoleText>>;

export type StaffRole = keyof typeof staffRoles;

/** All staff roles, in the order they are offered. */
export const staffRoleNames = Object.keys(staffRoles) as StaffRole[];

/** Returns whether an admin with these roles may do what `role` allows. */
export function hasStaffRole(roles: readonly string[], role: StaffRole): boolean {
  return roles.length === 0 || roles.includes("owner") || roles.includes(role);
}
