import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { MachineIdentity } from "./match-device.ts";

@VisibleTo("signedIn", { readThrough: "Licence.devices" })
@ObjectType({ description: "A machine activated on a licence." })
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
@Index({
  name: "devices_alternating",
  expression:
    "create index devices_alternating on devices (alternated_at, id) where alternations >= 2 and freed_at is null",
})
export class Device {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  @Field(() => String, { description: "Name of the machine." })
  @Property({ type: types.string })
  machineName!: string;

  @Property({ type: types.string })
  fingerprint!: string;

  /** Component hashes by component name. They identify the machine after its fingerprint has changed. */
  @Property({ type: types.json })
  components: Opt<Record<string, string>> = {};

  /** Hardware that the device reported before, if it differs, oldest first. See `recordHardwareChange`. */
  @Property({ type: types.json, nullable: true })
  earlierHardware: MachineIdentity[] | null = null;

  /** Number of times that the device went back to earlier hardware without a month in between. */
  @Property({ type: types.integer })
  alternations: Opt<number> = 0;

  @Property({ type: types.datetime, nullable: true })
  alternatedAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description: "The operating system user who last used the add-in on this device.",
  })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => Boolean, { description: "Whether the device is a virtual machine, as far as the add-in can tell." })
  @Property({ type: types.boolean })
  isVm: Opt<boolean> = false;

  /** SHA-256 of the device's machine token. */
  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Field(() => Date, { description: "The date the device was activated, in UTC." })
  @Property({ type: types.datetime })
  activatedAt!: Date;

  @Field(() => Date, { description: "The date of the last request from the add-in on this device, in UTC." })
  @Property({ type: types.datetime })
  lastSeenAt!: Date;

  /** Time of the deactivation, or null for an active device. Deactivated devices are kept for the history. */
  @Property({ type: types.datetime, nullable: true })
  freedAt: Date | null = null;

  /** Expiry of the device's offline licence file. Until then customers can't deactivate the device. */
  @Property({ type: types.datetime, nullable: true })
  offlineUntil: Date | null = null;

  /** Licence event whose count increases at the next identical validation. `eventAt` is the time of that event. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  eventAt: Date | null = null;
}
