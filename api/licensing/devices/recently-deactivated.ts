import { createType, field } from "#api/platform/graphql/create-type.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { deactivationActors } from "#schema/device.ts";

/** Maximum number of deactivated devices listed for a licence. */
const MAX_LISTED = 5;

export const DeactivatedDevice = createType(
  "FreedDevice",
  VisibleTo("signedIn"),
  "A device that was deactivated on a licence.",
  {
    id: field.id("Unique ID."),
    machineName: field.text("Name of the machine."),
    freedAt: field.moment("The date the device was deactivated, in UTC."),
    by: field.choice(deactivationActors),
    reason: field.text("The reason for the deactivation. Customers see null if staff deactivated the device.", {
      nullable: true,
    }),
  },
);
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
