import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { Allow } from "#api/platform/allow.ts";

export type { LicenceEventKind } from "#schema/licence-history.ts";

/**
 * One row of the append-only history of everything asked of a licence, whatever the answer; what succeeded
 * alike within an hour is one row with a count. Carries plain ids, not relations: history outlives what it
 * speaks of. The table has a partition a month (decision 0026), so its key in the database is (id, at).
 */
@ObjectType({
  description:
    "What was asked of a licence, or done to it, and the answer. Identical successes within an hour are one.",
})
@Entity({ tableName: "licence_events" })
export class LicenceEvent {
  @Field(() => ID)
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  id!: string;

  @Field(() => Date, { description: "When it was asked, the first time if more than once; UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(() => Date, { description: "When it was asked for the last time, UTC." })
  @Property({ type: types.datetime })
  lastAt!: Date;

  @Field(() => Int, { description: "How often it was asked between the two." })
  @Property({ type: types.integer })
  count: Opt<number> = 1;

  @Field(() => String, {
    description:
      "activate, validate, lease, heartbeat, release, usage, deactivate, offline, move, portal-deactivate, free-seat, issue, extend, shorten, change, suspend, reinstate or revoke.",
  })
  @Property({ type: types.string })
  kind!: LicenceEventKind;

  /** Result code of the answer. */
  @Field(() => Int, { description: "1 is a success." })
  @Property({ type: types.smallint })
  resultCode!: number;

  /** Null when the code was not known. */
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Field(() => ID, { nullable: true, description: "Null when the machine was no device of the licence." })
  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  machineName: string | null = null;

  @Field(() => String, { nullable: true, description: "Who was signed in on the machine." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  addInVersion: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  hostVersion: string | null = null;

  @Allow("admin")
  @Field(() => String, { nullable: true, description: "From which address; for admins." })
  @Property({ type: types.string, nullable: true })
  ip: string | null = null;
}
