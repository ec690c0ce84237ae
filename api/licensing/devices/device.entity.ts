import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import {
  Flag,
  Integer,
  Json,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  LongText,
} from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { MachineIdentity } from "./match-device.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { DeactivationActor } from "#schema/device.ts";

@VisibleTo("signedIn", { readThrough: "Licence.devices" })
@ObjectType({ description: "A machine activated on a licence." })
@Entity({ tableName: "devices" })
@SqlIndex(
  "create unique index devices_one_fingerprint_a_licence on devices (licence_id, fingerprint) where freed_at is null",
)
@SqlIndex("create index devices_by_machine_name on devices (lower(machine_name) text_pattern_ops)")
@SqlIndex(
  "create index devices_alternating on devices (alternated_at, id) where alternations >= 2 and freed_at is null",
)
export class Device {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Licence, { personal: "none" })
  licence!: Licence;

  @Text("Name of the machine.", { personal: "deleted" })
  machineName!: string;

  @Text({ personal: "deleted" })
  fingerprint!: string;

  /** Component hashes by component name. They identify the machine after its fingerprint has changed. */
  @Json({ personal: "deleted" })
  components: Opt<Record<string, string>> = {};

  /** Hardware that the device reported before, if it differs, oldest first. See `recordHardwareChange`. */
  @Json({ nullable: true, personal: "deleted" })
  earlierHardware: MachineIdentity[] | null = null;

  /** Number of times that the device went back to earlier hardware without a month in between. */
  @Integer()
  alternations: Opt<number> = 0;

  @Moment({ nullable: true })
  alternatedAt: Date | null = null;

  @Text("The operating system user who last used the add-in on this device.", { nullable: true, personal: "deleted" })
  osUser: string | null = null;

  @Flag("Whether the device is a virtual machine, as far as the add-in can tell.")
  isVm: Opt<boolean> = false;

  /** SHA-256 of the device's machine token. */
  @Unique()
  @Text({ personal: { kept: "Random; shows the add-in that the account is closed." } })
  tokenHash!: string;

  @Moment("The date the device was activated, in UTC.")
  activatedAt!: Date;

  @Moment("The date of the last activation, licence check or heartbeat of this device, in UTC.")
  lastSeenAt!: Date;

  /** Time of the deactivation, or null for an active device. Deactivated devices are kept for the history. */
  @Moment({ nullable: true, personal: "deleted" })
  freedAt: Date | null = null;

  /** Expiry of the device's offline licence file. Until then customers can't deactivate the device. */
  @Moment({ nullable: true, personal: "deleted" })
  offlineUntil: Date | null = null;

  /** Licence event whose count increases at the next identical validation. `eventAt` is the time of that event. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Moment({ nullable: true })
  eventAt: Date | null = null;
}

/** Ledger of deactivations. Rows are never changed. */
@Entity({ tableName: "deactivations" })
@Index({ properties: ["user", "at"] })
@SqlIndex("create index deactivations_newest on deactivations (at desc, id desc)")
export class Deactivation {
  @RowId()
  id: Opt<string> = randomUUID();

  @Reference(() => User, { personal: { kept: "Needed for the yearly limit of a licence." } })
  user!: User;

  @Index()
  @Reference(() => Device, { personal: { kept: "Needed for the yearly limit of a licence." } })
  device!: Device;

  @Moment()
  at!: Date;

  @Text({ personal: "none" })
  by!: DeactivationActor;

  @LongText({ personal: "deleted" })
  reason!: string;
}

@VisibleTo("admin")
@ObjectType({ description: "A machine name refused on every licence of a user." })
@Entity({ tableName: "blocked_machines" })
@Unique({ properties: ["user", "comparedName"] })
@SqlIndex("create index blocked_machines_newest on blocked_machines (blocked_at desc, id desc)")
export class BlockedMachine {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text("Name of the machine. Upper and lower case are the same.")
  machineName!: string;

  /** Trimmed, lower-case form of the name, used for comparisons. */
  @Text()
  comparedName!: string;

  @Moment("When the machine was blocked, in UTC.")
  blockedAt!: Date;
}
