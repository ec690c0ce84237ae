import { paths } from "#web/platform/paths.ts";

/** An admin's way back to the licences of a user; until it is known whose they are, to the admin area. */
export function licencesOf(userId: string | undefined): { to: string; label: string } {
  if (userId === undefined) return { to: paths.admin.href(), label: "Admin" };
  return { to: `${paths.updateUser.href({ id: userId })}?tab=licences`, label: "Licences" };
}
