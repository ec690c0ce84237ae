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
 * Releases a seat on behalf of an admin. The next heartbeat of its session gets LEASE_NOT_FOUND, after which the add-in
 * may request a seat again. Does nothing if the lease has already ended or lapsed. A borrowed seat becomes available
 * immediately, but its device keeps running until the end of the borrowing it was granted.
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
