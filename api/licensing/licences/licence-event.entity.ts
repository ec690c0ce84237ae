import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";

export type { LicenceEventKind } from "#schema/licence-history.ts";

/**
 * One row of the append-only history of a licence: a request from the add-in with its result, or a change to the
 * licence. Identical successful requests within an hour share one row with a count. Stores plain ids instead of
 * relations, because the history remains after the rows it refers to are deleted. The table is partitioned by month
 * (decision 0026), so its key in the database is (id, at).
 */
@VisibleTo("signedIn")
@ObjectType({
  description:
    "A licence check or other request from the add-in with its result, or a change of the licence. Identical successful requests within an hour are combined.",
})
@Entity({ tableName: "licence_events" })
export class LicenceEvent {
  @Field(() => ID)
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  id!: string;

  @Field(() => Date, {
    description: "Time of the request or change, in UTC. For repeated requests, the time of the first.",
  })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(() => Date, { description: "Time of the last identical request, in UTC." })
  @Property({ type: types.datetime })
  lastAt!: Date;

  @Field(() => Int, { description: "Number of identical requests from `at` to `lastAt`." })
  @Property({ type: types.integer })
  count: Opt<number> = 1;

  @Field(() => String, {
    description:
      "activate, validate, lease, heartbeat, release, usage, deactivate, offline, move, portal-deactivate, free-seat, issue, extend, shorten, change, suspend, reinstate or revoke.",
  })
  @Property({ type: types.string })
  kind!: LicenceEventKind;

  @Field(() => Int, { description: "Result code; 1 is a success." })
  @Property({ type: types.smallint })
  resultCode!: number;

  /** Id of the licence. Null for an unknown licence code. */
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Field(() => ID, { nullable: true, description: "Null if the request didn't come from a device of the licence." })
  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  machineName: string | null = null;

  @Field(() => String, { nullable: true, description: "Windows user signed in on the device." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  addInVersion: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  hostVersion: string | null = null;

  @Allow("admin", { roles: ["support"], scope: "licences:read" })
  @Field(() => String, { nullable: true, description: "IP address of the request. For admins only." })
  @Property({ type: types.string, nullable: true })
  ip: string | null = null;
}
