import { BlockedMachine, Deactivation } from "#api/licensing/devices/device.entity.ts";
import {
  ERASED,
  createAnonymizePart,
  createDeletePart,
  exportRows,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { DeviceAuthorization } from "#api/licensing/device-authorizations/device-authorization.entity.ts";
import { pick } from "#api/platform/pick.ts";

const ofLicences = (user: string) => ({ licence: { user } });

export const deviceData: PersonalData = {
  tables: { deactivations: { erasedBy: "deactivations" }, devices: { erasedBy: "devices" } },
  erasure: [
    createAnonymizePart(
      "devices",
      "Devices",
      "devices",
      `update devices set machine_name = '${ERASED}', fingerprint = 'erased', components = '{}', earlier_hardware = null, os_user = null,
              offline_until = null, freed_at = coalesce(freed_at, :requestedAt)
        where id in (
          select d.id from devices d join licences l on l.id = d.licence_id
           where l.user_id = :user
             and (d.machine_name <> '${ERASED}' or d.fingerprint <> 'erased' or d.components <> '{}' or d.freed_at is null
                  or d.os_user is not null)
           order by d.id limit :limit for update of d)`,
    ),
    createAnonymizePart(
      "deactivations",
      "Device deactivation reasons",
      "deactivations",
      `update deactivations set reason = '' where id in (
         select id from deactivations where user_id = :user and reason <> '' limit :limit)`,
    ),
    createDeletePart("blocked-machines", "Blocked machines", "blocked_machines"),
  ],
  exported: {
    deactivations: exportRows(
      Deactivation,
      { orderBy: { at: "desc" }, populate: ["device"] },
      ({ at, by, reason, device }) => ({ at, by, reason, machineName: device.machineName }),
    ),
    blockedMachines: exportRows(BlockedMachine, { orderBy: { blockedAt: "desc" } }, ["machineName", "blockedAt"]),
  },
};

export const leaseData: PersonalData = {
  tables: { leases: { erasedBy: "seats" } },
  erasure: [
    // Leases come before devices because heartbeats lock them in this order.
    createAnonymizePart(
      "seats",
      "Seats",
      "leases",
      `update leases set os_user = null, ended_at = coalesce(ended_at, :requestedAt),
              ended_by = coalesce(ended_by, 'device-freed')
        where id in (
          select s.id from leases s join licences l on l.id = s.licence_id
           where l.user_id = :user and (s.os_user is not null or s.ended_at is null)
           order by s.id limit :limit for update of s)`,
    ),
  ],
  exported: {
    seats: exportRows(Lease, { of: ofLicences, orderBy: { startedAt: "desc" }, populate: ["device"] }, (seat) => ({
      machineName: seat.device.machineName,
      ...pick(seat, "osUser", "startedAt", "lastHeartbeatAt", "expiresAt", "borrowedUntil", "endedAt"),
    })),
  },
};

export const usageData: PersonalData = {
  exported: {
    conversions: exportRows(
      UsageEvent,
      { of: ofLicences, orderBy: { at: "desc" }, populate: ["device"] },
      ({ device, at, recordedAt }) => ({ machineName: device.machineName, at, recordedAt }),
    ),
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

export const moveCodeData: PersonalData = {
  retention: [{ table: "move_codes", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    createDeletePart("move-codes", "Move codes", "move_codes", {
      where: "licence_id in (select id from licences where user_id = :user)",
    }),
  ],
  exported: {
    moveCodes: exportRows(
      MoveCode,
      { of: ofLicences, orderBy: { createdAt: "desc" } },
      ({ licence, createdAt, expiresAt }) => ({ licenceId: licence.id, sentAt: createdAt, expiresAt }),
    ),
  },
};

export const deviceAuthorizationData: PersonalData = {
  retention: [{ table: "device_authorizations", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    createDeletePart("device-authorizations", "Device authorizations", "device_authorizations", {
      where: "user_id = :user or licence_id in (select id from licences where user_id = :user)",
      alsoKept: "Undecided requests expire within minutes.",
    }),
  ],
  exported: {
    deviceAuthorizations: exportRows(DeviceAuthorization, { orderBy: { requestedAt: "desc" } }, [
      "machineName",
      "osUser",
      "addInVersion",
      "ip",
      "requestedAt",
      "decision",
      "decidedAt",
      "resultCode",
    ]),
  },
};
