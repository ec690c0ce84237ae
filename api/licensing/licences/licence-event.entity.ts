import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { resultCodes } from "#schema/catalogue.ts";
import { type LicenceEventKind, licenceEventKinds } from "#schema/licence-history.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

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
  @Field(() => ID, { description: "Unique ID." })
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

  @Field(enumType(licenceEventKinds), { description: licenceEventKinds.meaning })
  @Property({ type: types.string })
  kind!: LicenceEventKind;

  @Field(enumType(resultCodes), { name: "code", description: "Result; `VALID` is a success." })
  @Property({ type: types.smallint })
  resultCode!: number;

  /** Id of the licence. Null for an unknown licence code. */
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Field(() => ID, { nullable: true, description: "Null if the request didn't come from a device of the licence." })
  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;

  @Field(() => String, { nullable: true, description: "Name of the machine that sent the request." })
  @Property({ type: types.string, nullable: true })
  machineName: string | null = null;

  @Field(() => String, { nullable: true, description: "Windows user signed in on the device." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => String, { nullable: true, description: "Version of the add-in, such as 7.2.0." })
  @Property({ type: types.string, nullable: true })
  addInVersion: string | null = null;

  @Field(() => String, { nullable: true, description: "Version of the program that runs the add-in." })
  @Property({ type: types.string, nullable: true })
  hostVersion: string | null = null;

  @Allow("admin", { roles: ["support"], scope: "licences:read" })
  @Field(() => String, { nullable: true, description: "IP address of the request. For admins only." })
  @Property({ type: types.string, nullable: true })
  ip: string | null = null;
}
