import type { Context } from "#api/platform/context.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";
import { createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { deactivationActors } from "#schema/device.ts";

/** Loads the active devices of a licence, oldest activation first. */
export const loadDevices = createRelationLoader<Device>({
  entity: Device,
  of: "licence",
  where: { freedAt: null },
  orderBy: { activatedAt: "asc", id: "asc" },
});

/** Returns the active devices of a licence as the transaction of `em` sees them, oldest activation first. */
export function findActiveDevices(em: EntityManager, licenceId: string): Promise<Device[]> {
  return em.find(Device, { licence: licenceId, freedAt: null }, { orderBy: { activatedAt: "asc", id: "asc" } });
}

/** Loads the number of active devices of a licence. */
export const loadDeviceCount = createLoader(async ({ pool }: Context, licenceIds: readonly string[]) => {
  const { rows } = await pool.query<{ id: string; count: number }>({
    name: "device-counts",
    text: `select licence_id as id, count(*)::int as count from devices
            where licence_id = any($1::uuid[]) and freed_at is null group by licence_id`,
    values: [licenceIds],
  });
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return licenceIds.map((id) => counts.get(id) ?? 0);
});

/**
 * Lists the active devices of one of the caller's licences. Admins can list the devices of any licence.
 * @throws AppError NOT_FOUND for unknown and malformed ids and for licences of other accounts.
 */
export async function listDevices(context: Context, licenceId: string): Promise<Device[]> {
  return loadDevices(context, (await getLicence(context, licenceId)).id);
}

/** Maximum number of deactivated devices listed for a licence. */
const MAX_LISTED = 5;

export const DeactivatedDevice = createType("FreedDevice", "signedIn", "A device that was deactivated on a licence.", {
  id: field.id("Unique ID."),
  machineName: field.text("Name of the machine."),
  freedAt: field.moment("The date the device was deactivated, in UTC."),
  by: field.choice(deactivationActors),
  reason: fieldOrNull.text("The reason for the deactivation. Customers see null if staff deactivated the device."),
});
export type DeactivatedDevice = InstanceType<typeof DeactivatedDevice>;

interface DeactivatedRow {
  readonly licenceId: string;
  readonly id: string;
  readonly machineName: string;
  readonly freedAtMs: number;
  readonly by: string;
  readonly reason: string;
}

const recentlyDeactivatedSql = `
  select *
    from (select v.licence_id as "licenceId", v.id, v.machine_name as "machineName", d."by", d.reason,
                 (extract(epoch from d.at) * 1000)::float8 as "freedAtMs",
                 row_number() over (partition by v.licence_id order by d.at desc, d.id) as place
            from devices v
            join deactivations d on d.device_id = v.id
           where v.licence_id = any($1::uuid[]) and v.freed_at is not null) as freed
   where place <= $2
   order by place`;

/** Loads the five devices of a licence that were deactivated most recently, newest first. */
export const loadRecentlyDeactivated = createLoader(
  async ({ em, actor }: Context, licenceIds: readonly string[]): Promise<DeactivatedDevice[][]> => {
    const rows = await query<DeactivatedRow>(em, recentlyDeactivatedSql, [licenceIds, MAX_LISTED]);
    const byLicence = Map.groupBy(rows, ({ licenceId }) => licenceId);
    return licenceIds.map((id) =>
      (byLicence.get(id) ?? []).map(({ id: deviceId, machineName, by, freedAtMs, reason }) => ({
        id: deviceId,
        machineName,
        by,
        freedAt: new Date(freedAtMs),
        reason: by === "customer" || actor?.role === "admin" ? reason : null,
      })),
    );
  },
);
