import { ResultCode } from "#schema/catalogue.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { lockLicenceOf } from "#api/licensing/licences/lock-licences.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";
import { Lease } from "./lease.entity.ts";
import { endLease } from "./release-lease.ts";

/**
 * Takes a seat from whoever has it, for an admin: its next heartbeat is answered LEASE_NOT_FOUND, and the add-in may ask
 * for a seat again. A lease that has ended or lapsed by then is left as it is. A borrowed seat is free here at once,
 * while the machine it was borrowed for goes on until the end that it was told.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function freeSeat(context: Context, leaseId: string): Promise<Licence> {
  const found = isUuid(leaseId) ? await context.em.findOne(Lease, leaseId, { populate: ["licence"] }) : null;
  if (!found) throw notFound();
  return inTransaction(context, async (em) => {
    const licence = await lockLicenceOf(em, found.licence.user.id, found.licence.id);
    const now = context.clock.now();
    const [ended] = await query(em, `${endLease} where id = $1 and ended_at is null and expires_at > $2 returning id`, [
      leaseId,
      now,
      "admin",
    ]);
    if (!ended) return licence;
    const lease = await em.findOneOrFail(Lease, leaseId, { populate: ["device"] });
    const { device, osUser } = lease;
    noteLicenceEvent(context, em, {
      kind: "free-seat",
      resultCode: ResultCode.VALID,
      licenceId: licence.id,
      deviceId: device.id,
      machineName: device.machineName,
    });
    await noteChange(context, em, {
      action: "free-seat",
      subject: {
        type: "lease",
        id: lease.id,
        name: `${shownMachineName(device.machineName)} on ${licence.supportCode}`,
      },
      userId: licence.user.id,
      before: {
        osUser,
        startedAt: lease.startedAt.toISOString(),
        borrowedUntil: lease.borrowedUntil?.toISOString() ?? null,
      },
    });
    return licence;
  });
}
