import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { deactivationActors } from "#schema/device.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** Maximum number of deactivated devices listed for a licence. */
const MAX_LISTED = 5;

@VisibleTo("signedIn")
@ObjectType("FreedDevice", { description: "A device that was deactivated on a licence." })
export class DeactivatedDevice {
  @Field(() => ID, { description: "Unique ID." })
  readonly id!: string;

  @Field(() => String, { description: "Name of the machine." })
  readonly machineName!: string;

  @Field(() => Date, { description: "The date the device was deactivated, in UTC." })
  readonly freedAt!: Date;

  @Field(enumType(deactivationActors), { description: deactivationActors.meaning })
  readonly by!: string;

  @Field(() => String, {
    nullable: true,
    description: "The reason for the deactivation. Customers see null if staff deactivated the device.",
  })
  readonly reason!: string | null;
}

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
