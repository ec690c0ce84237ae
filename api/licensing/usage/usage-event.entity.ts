import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** Something the add-in did on a licence, reported once under an id that the add-in generated. */
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

  /** When it happened, by the machine's clock; UTC. */
  @Property({ type: types.datetime })
  at!: Date;

  /** When it was reported; UTC. */
  @Property({ type: types.datetime })
  recordedAt!: Date;
}
