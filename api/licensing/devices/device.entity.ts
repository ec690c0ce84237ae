import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** One machine activated on one licence. */
@ObjectType({ description: "One machine activated on one licence." })
@Entity({ tableName: "devices" })
@Index({
  name: "devices_one_fingerprint_a_licence",
  expression:
    "create unique index devices_one_fingerprint_a_licence on devices (licence_id, fingerprint) where freed_at is null",
})
@Index({
  name: "devices_by_machine_name",
  expression: "create index devices_by_machine_name on devices (lower(machine_name) text_pattern_ops)",
})
export class Device {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  @Field(() => String)
  @Property({ type: types.string })
  machineName!: string;

  @Property({ type: types.string })
  fingerprint!: string;

  /** Name → hash of the parts by which a drifted fingerprint is recognised. */
  @Property({ type: types.json })
  components: Opt<Record<string, string>> = {};

  @Field(() => String, { nullable: true, description: "Who last used the add-in on it, as the system names them." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => Boolean)
  @Property({ type: types.boolean })
  isVm: Opt<boolean> = false;

  /** SHA-256 of the token that only this device was given. */
  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  activatedAt!: Date;

  @Field(() => Date, { description: "Last time the add-in asked from this device, UTC." })
  @Property({ type: types.datetime })
  lastSeenAt!: Date;

  /** Set when the place was given back; the row stays for history. */
  @Property({ type: types.datetime, nullable: true })
  freedAt: Date | null = null;

  /** End of the device's offline licence file, which locks it against deactivation. */
  @Property({ type: types.datetime, nullable: true })
  offlineUntil: Date | null = null;

  /** The row of the history that the next identical validation is added to, and its time. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  eventAt: Date | null = null;
}
