import type { Context } from "#api/platform/context.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";

/** Loads the active devices of a licence, oldest activation first. */
export const loadDevices = createRelationLoader<Device>({
  entity: Device,
  of: "licence",
  where: { freedAt: null },
  orderBy: { activatedAt: "asc", id: "asc" },
});

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
