import type { Context } from "#api/platform/context.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { listLicences } from "#api/licensing/licences/list-licences.ts";
import { getUser } from "#api/people/users/get-user.ts";

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
