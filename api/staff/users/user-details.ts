import type { Context } from "#api/platform/context.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { listLicences } from "#api/licensing/licences/list-licences.ts";
import { getUser } from "#api/people/users/get-user.ts";

/** Rows of one kind that are shown of one user. */
const MOST = 1_000;

/**
 * One user with contacts, licences and blocked machines, for staff.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function getUserDetails(context: Context, id: string) {
  const user = await getUser(context, id);
  const { em } = context;
  return {
    user,
    contacts: await em.find(Contact, { user: user.id }, { orderBy: { lastName: "asc", id: "asc" }, limit: MOST }),
    blockedMachines: await em.find(
      BlockedMachine,
      { user: user.id },
      { orderBy: { blockedAt: "desc", machineName: "asc" }, limit: MOST },
    ),
    licences: await listLicences(context, user.id),
  };
}
