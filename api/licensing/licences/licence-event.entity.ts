import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { resultCodes } from "#schema/result-code.ts";
import { type LicenceEventKind, licenceEventKinds } from "#schema/licence-history.ts";
import { Choice, Integer, Moment, Text, Uuid } from "#api/platform/database/columns.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/declare.ts";

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
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  id!: string;

  @Moment("Time of the request or change, in UTC. For repeated requests, the time of the first.")
  at!: Date;

  @Moment("Time of the last identical request, in UTC.")
  lastAt!: Date;

  @Integer("Number of identical requests from `at` to `lastAt`.")
  count: Opt<number> = 1;

  @Choice(licenceEventKinds)
  kind!: LicenceEventKind;

  @Choice(resultCodes, "Result; `VALID` is a success.", { exposedAs: "code" })
  resultCode!: number;

  /** Id of the licence. Null for an unknown licence code. */
  @Uuid({ nullable: true, personal: "none" })
  licenceId: string | null = null;

  @Uuid("Null if the request didn't come from a device of the licence.", { nullable: true, personal: "none" })
  deviceId: string | null = null;

  @Text("Name of the machine that sent the request.", { nullable: true, personal: "deleted" })
  machineName: string | null = null;

  @Text("Windows user signed in on the device.", { nullable: true, personal: "deleted" })
  osUser: string | null = null;

  @Text("Version of the add-in, such as 7.2.0.", { nullable: true, personal: "none" })
  addInVersion: string | null = null;

  @Text("Version of the program that runs the add-in.", { nullable: true, personal: "none" })
  hostVersion: string | null = null;

  @Allow("admin", { roles: ["support"], scope: "licences:read" })
  @Text("IP address of the request. For admins only.", { nullable: true, personal: "deleted" })
  ip: string | null = null;
}

/** A month of licence events in a detached table. It is archived, and dropped after a week unless it is attached again. */
@Entity({ tableName: "detached_event_months" })
export class DetachedEventMonth {
  /** Name of the month's table. */
  @PrimaryKey({ type: types.string })
  name!: string;

  @Moment()
  startsAt!: Date;

  /** Start of the next month. */
  @Moment()
  endsAt!: Date;

  @Moment()
  detachedAt!: Date;

  /** When the table was dropped. Null while it exists. */
  @Moment({ nullable: true })
  droppedAt: Date | null = null;

  /** When all events were in the archive. Null before. */
  @Moment({ nullable: true })
  archivedAt: Date | null = null;

  /** Number of files of the archive. */
  @Integer({ default: 0 })
  archivedFiles: Opt<number> = 0;

  /** Number of events in the archive. */
  @Property({ type: types.bigint, defaultRaw: "0" })
  archivedEvents: Opt<string> = "0";

  /** Id of the last event in the archive. */
  @Property({ type: types.bigint, defaultRaw: "0" })
  archivedToId: Opt<string> = "0";

  /** Until when a month restored from the archive stays attached. Null if it wasn't restored. */
  @Moment({ nullable: true })
  keptUntil: Date | null = null;
}
