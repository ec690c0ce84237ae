import type { Context } from "#api/platform/context.ts";
import { type Relation, relatedRows } from "#api/platform/related-rows.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";

/** The devices active on a licence, in the order of their activation; freed ones are history. */
export const devicesOfLicence: Relation<Device> = {
  entity: Device,
  of: "licence",
  orderBy: { activatedAt: "asc", id: "asc" },
  where: { freedAt: null },
};

/** Returns the devices active on a licence; one statement for all licences of a page. */
export function devicesOf(context: Pick<Context, "em">, licenceId: string): Promise<Device[]> {
  return relatedRows(context, devicesOfLicence, licenceId);
}

/**
 * The active devices of the caller's own licence, or of any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function listDevices(context: Context, licenceId: string): Promise<Device[]> {
  return devicesOf(context, (await getLicence(context, licenceId)).id);
}
