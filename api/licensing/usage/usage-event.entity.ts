import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** A conversion on a licence, counted once under the id that the add-in generated for it. */
@Entity({ tableName: "usage_events" })
export class UsageEvent {
  [PrimaryKeyProp]?: ["licence", "eventId"];

  @ManyToOne(() => Licence, { primary: true })
  licence!: Licence;

  @Property({ type: types.string, primary: true })
  eventId!: string;

  @Index()
  @ManyToOne(() => Device)
  device!: Device;

  @Property({ type: types.string })
  kind!: "conversion";

  /** Time of the action by the device's clock, in UTC. */
  @Property({ type: types.datetime })
  at!: Date;

  /** Time the action was reported, in UTC. */
  @Property({ type: types.datetime })
  recordedAt!: Date;
}
