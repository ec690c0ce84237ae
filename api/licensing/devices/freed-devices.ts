import DataLoader from "dataloader";
import { Field, ID, ObjectType } from "type-graphql";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";

/** Most of a licence's freed devices that are listed. */
const LISTED = 5;

@ObjectType({ description: "A device that gave its place on a licence back." })
export class FreedDevice {
  @Field(() => ID)
  readonly id!: string;

  @Field(() => String)
  readonly machineName!: string;

  @Field(() => Date, { description: "UTC." })
  readonly freedAt!: Date;

  @Field(() => String, { description: "customer, admin or system." })
  readonly by!: string;

  @Field(() => String, { nullable: true, description: "Null to customers where staff freed it, in their own words." })
  readonly reason!: string | null;
}

interface FreedRow {
  readonly licenceId: string;
  readonly id: string;
  readonly machineName: string;
  readonly freedAtMs: number;
  readonly by: string;
  readonly reason: string;
}

const recentlyFreed = `
  select *
    from (select v.licence_id as "licenceId", v.id, v.machine_name as "machineName", d."by", d.reason,
                 (extract(epoch from d.at) * 1000)::float8 as "freedAtMs",
                 row_number() over (partition by v.licence_id order by d.at desc, d.id) as place
            from devices v
            join deactivations d on d.device_id = v.id
           where v.licence_id = any($1::uuid[]) and v.freed_at is not null) as freed
   where place <= $2
   order by place`;

// One loader a unit of work: a list of licences costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, FreedDevice[]>>();

/** The devices of a licence that were freed last, newest first, at most five; batched. */
export function recentlyFreedOf(context: Context, licenceId: string): Promise<FreedDevice[]> {
  const { em, actor } = context;
  let loader = loaders.get(em);
  if (!loader) {
    loader = new DataLoader(
      async (licenceIds) => {
        const rows = await query<FreedRow>(em, recentlyFreed, [licenceIds, LISTED]);
        const byLicence = new Map<string, FreedDevice[]>(licenceIds.map((id) => [id, []]));
        for (const { licenceId: of, freedAtMs, reason, ...row } of rows)
          byLicence.get(of)?.push({
            ...row,
            freedAt: new Date(freedAtMs),
            reason: row.by === "customer" || actor?.role === "admin" ? reason : null,
          });
        return licenceIds.map((id) => byLicence.get(id) ?? []);
      },
      { cache: false },
    );
    loaders.set(em, loader);
  }
  return loader.load(licenceId);
}
