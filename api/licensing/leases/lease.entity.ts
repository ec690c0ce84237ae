import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
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
@SqlIndex("create index leases_running on leases (licence_id) where ended_at is null")
export class Lease {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Licence, { personal: "none" })
  licence!: Licence;

  @Reference(() => Device, { personal: "none" })
  device!: Device;

  /** Identifier that the add-in generates each time it starts. */
  @Text({ personal: { kept: "Random ID of an add-in session." } })
  sessionId!: string;

  @Text("Windows user running the add-in.", { nullable: true, personal: "deleted" })
  osUser: string | null = null;

  @Moment("Time the seat was taken, in UTC.")
  startedAt!: Date;

  @Moment("Time of the last heartbeat, in UTC.")
  lastHeartbeatAt!: Date;

  @Moment("Time the seat is released unless another heartbeat arrives, in UTC.")
  expiresAt!: Date;

  @Moment("End of the period the seat was borrowed for offline use, in UTC.", { nullable: true })
  borrowedUntil: Date | null = null;

  @Moment({ nullable: true, personal: "deleted" })
  endedAt: Date | null = null;

  @Text({ nullable: true, personal: "deleted" })
  endedBy: LeaseEnd | null = null;

  /** Licence event that counts the next identical heartbeat, and the time of that event. */
  @Property({ type: types.bigint, nullable: true })
  eventId: string | null = null;

  @Moment({ nullable: true })
  eventAt: Date | null = null;
}
