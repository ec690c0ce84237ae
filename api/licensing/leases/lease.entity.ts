import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** Reason a lease ended: the add-in released it, it lapsed, its device was deactivated, or an admin released it. */
export type LeaseEnd = "release" | "lapse" | "device-freed" | "admin";

/**
 * A seat of a concurrent licence, kept by heartbeats (docs/domain.md#seats). The seat is in use until `expiresAt`
 * unless the lease ended earlier. Each device and add-in session has one row, which is reused when the session requests
 * a seat again.
 */
@VisibleTo("signedIn")
@ObjectType({ description: "A seat of a concurrent licence that is in use. Heartbeats from the add-in keep it." })
@Entity({ tableName: "leases" })
@Unique({ properties: ["device", "sessionId"] })
@Index({
  name: "leases_running",
  expression: "create index leases_running on leases (licence_id) where ended_at is null",
})
export class Lease {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  @ManyToOne(() => Device)
  device!: Device;

  /** Identifier that the add-in generates each time it starts. */
  @Property({ type: types.string })
  sessionId!: string;

  @Field(() => String, { nullable: true, description: "Windows user running the add-in." })
  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Field(() => Date, { description: "Time the seat was taken, in UTC." })
  @Property({ type: types.datetime })
  startedAt!: Date;

  @Field(() => Date, { description: "Time of the last heartbeat, in UTC." })
  @Property({ type: types.datetime })
  lastHeartbeatAt!: Date;

  @Field(() => Date, { description: "Time the seat is released unless another heartbeat arrives, in UTC." })
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "End of the period the seat was borrowed for offline use, in UTC.",
  })
  @Property({ type: types.datetime, nullable: true })
  borrowedUntil: Date | null = null;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;

  @Property({ type: types.string, nullable: true })
  endedBy: LeaseEnd | null = null;

  /** Licence event that counts the next identical heartbeat, and the time of that event. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  eventAt: Date | null = null;
}
