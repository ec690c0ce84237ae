import { Deactivation } from "./deactivation.entity.ts";
import {
  ERASED,
  MAX_EXPORTED_ROWS,
  createDeletePart,
  createBatchStatement,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";

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
