import { paths } from "#web/platform/paths.ts";

/** Returns the link back to a user's licences for an admin, or to the admin area until the user is known. */
export function getLicencesLink(userId: string | undefined): { to: string; label: string } {
  if (userId === undefined) return { to: paths.admin.href(), label: "Admin" };
  return { to: `${paths.updateUser.href({ id: userId })}?tab=licences`, label: "Licences" };
}
