import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import {
  ERASED,
  MAX_EXPORTED_ROWS,
  createDeletePart,
  createBatchStatement,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";

export const deviceData: PersonalData = {
  tables: {
    blocked_machines: { deleted: "blocked-machines" },
    deactivations: { erasedBy: "deactivations" },
    devices: { erasedBy: "devices" },
  },
  erasure: [
    {
      name: "devices",
      title: "Devices",
      effect: "anonymized",
      table: "devices",
      run: createBatchStatement(
        `update devices set machine_name = '${ERASED}', fingerprint = 'erased', components = '{}', earlier_hardware = null, os_user = null,
                offline_until = null, freed_at = coalesce(freed_at, :requestedAt)
          where id in (
            select d.id from devices d join licences l on l.id = d.licence_id
             where l.user_id = :user
               and (d.machine_name <> '${ERASED}' or d.fingerprint <> 'erased' or d.components <> '{}' or d.freed_at is null
                    or d.os_user is not null)
             order by d.id limit :limit for update of d)`,
      ),
    },
    {
      name: "deactivations",
      title: "Device deactivation reasons",
      effect: "anonymized",
      table: "deactivations",
      run: createBatchStatement(
        `update deactivations set reason = '' where id in (
           select id from deactivations where user_id = :user and reason <> '' limit :limit)`,
      ),
    },
    createDeletePart("blocked-machines", "Blocked machines", "blocked_machines"),
  ],
  exported: {
    async deactivations({ em }, user) {
      const deactivations = await em.find(
        Deactivation,
        { user: user.id },
        { orderBy: { at: "desc" }, populate: ["device"], limit: MAX_EXPORTED_ROWS },
      );
      return deactivations.map(({ at, by, reason, device }) => ({ at, by, reason, machineName: device.machineName }));
    },
  },
};

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

export const usageData: PersonalData = {
  exported: {
    async conversions({ em }, user) {
      const events = await em.find(
        UsageEvent,
        { licence: { user: user.id } },
        { orderBy: { at: "desc" }, populate: ["device"], limit: MAX_EXPORTED_ROWS },
      );
      return events.map(({ device, at, recordedAt }) => ({ machineName: device.machineName, at, recordedAt }));
    },
  },
};

export const trialData: PersonalData = {
  kept: [
    {
      title: "Trial records",
      table: "trial_claims",
      where: "licence_id in (select id from licences where user_id = $1)",
      reason: "Hashes of the email address and devices. Needed to prevent a second free trial.",
    },
  ],
};

const ownLicences = "select id from licences where user_id = :user";

export const moveCodeData: PersonalData = {
  tables: {
    move_codes: { deleted: "move-codes" },
  },
  retention: [{ table: "move_codes", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    {
      name: "move-codes",
      title: "Move codes",
      effect: "deleted",
      table: "move_codes",
      run: createBatchStatement(`delete from move_codes where id in (
        select id from move_codes where licence_id in (${ownLicences}) limit :limit)`),
    },
  ],
  exported: {
    async moveCodes({ em }, user) {
      const codes = await em.find(MoveCode, { licence: { user: user.id } }, { orderBy: { createdAt: "desc" } });
      return codes.map(({ licence, createdAt, expiresAt }) => ({
        licenceId: licence.id,
        sentAt: createdAt,
        expiresAt,
      }));
    },
  },
};
