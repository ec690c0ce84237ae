import { ResultCode } from "#schema/result-code.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { lockUserLicence } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { Lease } from "./lease.entity.ts";
import { endLeaseSql } from "./release-lease.ts";

/**
 * Releases a seat on behalf of an admin. The next heartbeat of its session gets LEASE_NOT_FOUND, after which the add-in
 * may request a seat again. Does nothing if the lease has already ended or lapsed. A borrowed seat becomes available
 * immediately, but its device can continue to run until the end of the borrowing period it was granted.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function releaseSeat(context: Context, leaseId: string): Promise<Licence> {
  const found = isUuid(leaseId) ? await context.em.findOne(Lease, leaseId, { populate: ["licence"] }) : null;
  if (!found) throw notFound();
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, found.licence.user.id, found.licence.id);
    const now = context.clock.now();
    const [ended] = await query(
      em,
      `${endLeaseSql} where id = $1 and ended_at is null and expires_at > $2 returning id`,
      [leaseId, now, "admin"],
    );
    if (!ended) return licence;
    const lease = await em.findOneOrFail(Lease, leaseId, { populate: ["device"] });
    const { device, osUser } = lease;
    recordLicenceEvent(context, em, {
      kind: "free-seat",
      resultCode: ResultCode.VALID,
      licenceId: licence.id,
      deviceId: device.id,
      machineName: device.machineName,
    });
    await recordChange(context, em, {
      action: "free-seat",
      subject: {
        type: "lease",
        id: lease.id,
        name: `${formatMachineName(device.machineName)} on ${licence.supportCode}`,
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
