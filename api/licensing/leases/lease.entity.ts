import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** What ended a lease: the add-in gave it back, its time ran out, its device was freed, or an admin took it. */
export type LeaseEnd = "release" | "lapse" | "device-freed" | "admin";

/**
 * One running seat of a concurrent licence, kept by heartbeats (docs/domain.md#seats). It is taken while `expiresAt`
 * lies ahead and nothing ended it; one row a device and session of the add-in, taken up again when that asks again.
 */
@ObjectType({ description: "One running seat of a concurrent licence, kept by heartbeats." })
@Entity({ tableName: "leases" })
@Unique({ properties: ["device", "sessionId"] })
@Index({
  name: "leases_running",
  expression: "create index leases_running on leases (licence_id) where ended_at is null",
})
export class Lease {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  @ManyToOne(() => Device)
  device!: Device;

  /** One run of the add-in, as it calls itself. */
  @Property({ type: types.string })
  sessionId!: string;

  @Field(() => String, { nullable: true, description: "Windows user who runs the add-in." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  startedAt!: Date;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  lastHeartbeatAt!: Date;

  @Field(() => Date, { description: "Until when the seat is taken without another heartbeat, UTC." })
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "Until when the seat was borrowed to work without a network, UTC.",
  })
  @Property({ type: types.datetime, nullable: true })
  borrowedUntil: Date | null = null;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;

  @Property({ type: types.string, nullable: true })
  endedBy: LeaseEnd | null = null;

  /** The row of the history that the next identical heartbeat is added to, and its time. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  eventAt: Date | null = null;
}
