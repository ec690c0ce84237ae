import type { ChangeSeatsValues } from "#schema/licence.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { assertCanHaveLicences } from "./add-licence.ts";
import { toAuditedLicence, recordLicenceChange } from "./record-licence-change.ts";
import type { Licence } from "./licence.entity.ts";
import { lockUserLicence } from "./lock-licences.ts";

/**
 * Changes how many users and machines a licence allows, and whether it works on virtual machines. Applies from the next
 * request of a device. Staff release seats or deactivate devices first if more are in use than the new numbers allow.
 * @throws AppError NOT_FOUND for an unknown licence and for a licence of another user; CONFLICT for a deactivated
 * licence, for an archived or deleted owner, and if more seats or devices are in use.
 */
export async function changeSeats(
  context: Context,
  userId: string,
  licenceId: string,
  values: ChangeSeatsValues,
): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    if (licence.revokedAt)
      throw new AppError("CONFLICT", { message: "This licence has been deactivated and can't be changed." });
    assertCanHaveLicences(licence.user);
    const used = await countUse(em, licence.id, context.clock.now());
    assertFits(used.devices, values.numberOfMachines, "devices are active");
    assertFits(used.seats, values.numberOfUsers, "seats are in use");
    const before = toAuditedLicence(licence);
    licence.numberOfUsers = values.numberOfUsers;
    licence.numberOfMachines = values.numberOfMachines;
    licence.allowOnVms = values.allowOnVms;
    await recordLicenceChange(context, em, "change-seats", licence, before);
    return licence;
  });
}

/** Counts the active devices and the running leases of a licence whose row is locked. */
async function countUse(em: EntityManager, licenceId: string, now: Date): Promise<{ devices: number; seats: number }> {
  const [counts] = await query<{ devices: number; seats: number }>(
    em,
    `select (select count(*)::int from devices where licence_id = $1 and freed_at is null) as devices,
            (select count(*)::int from leases where licence_id = $1 and ended_at is null and expires_at > $2) as seats`,
    [licenceId, now],
  );
  return counts ?? { devices: 0, seats: 0 };
}

function assertFits(used: number, allowed: number, whatIsUsed: string): void {
  if (used <= allowed) return;
  throw new AppError("CONFLICT", {
    message: `${used} ${whatIsUsed}, so the number can't be ${allowed}. Reduce the use first.`,
  });
}
