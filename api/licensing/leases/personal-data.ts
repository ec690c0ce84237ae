import { Lease } from "./lease.entity.ts";
import { MAX_EXPORTED_ROWS, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const leaseData: PersonalData = {
  tables: {
    leases: { erasedBy: "seats" },
  },
  erasure: [
    {
      // Leases come before devices because heartbeats lock them in this order.
      name: "seats",
      title: "Seats",
      effect: "anonymized",
      table: "leases",
      run: createBatchStatement(
        `update leases set os_user = null, ended_at = coalesce(ended_at, :requestedAt),
                ended_by = coalesce(ended_by, 'device-freed')
          where id in (
            select s.id from leases s join licences l on l.id = s.licence_id
             where l.user_id = :user and (s.os_user is not null or s.ended_at is null)
             order by s.id limit :limit for update of s)`,
      ),
    },
  ],
  exported: {
    async seats({ em }, user) {
      const leases = await em.find(
        Lease,
        { licence: { user: user.id } },
        { orderBy: { startedAt: "desc" }, populate: ["device"], limit: MAX_EXPORTED_ROWS },
      );
      return leases.map(({ device, osUser, startedAt, lastHeartbeatAt, expiresAt, borrowedUntil, endedAt }) => ({
        machineName: device.machineName,
        osUser,
        startedAt,
        lastHeartbeatAt,
        expiresAt,
        borrowedUntil,
        endedAt,
      }));
    },
  },
};
