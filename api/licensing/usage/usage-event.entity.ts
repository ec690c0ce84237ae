import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, Index, Property } from "@mikro-orm/decorators/legacy";
import { Classified, Moment, Reference, Text } from "#api/platform/database/columns.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** A conversion on a licence, counted once under the id that the add-in generated for it. */
@Entity({ tableName: "usage_events" })
export class UsageEvent {
  [PrimaryKeyProp]?: ["licence", "eventId"];

  @Reference(() => Licence, { primary: true, personal: "none" })
  licence!: Licence;

  @Classified({ kept: "Random ID that counts a conversion once." })
  @Property({ type: types.string, primary: true })
  eventId!: string;

  @Index()
  @Reference(() => Device, { personal: "none" })
  device!: Device;

  @Text({ personal: "none" })
  kind!: "conversion";

  /** Time of the action by the device's clock, in UTC. */
  @Moment()
  at!: Date;

  /** Time the action was reported, in UTC. */
  @Moment()
  recordedAt!: Date;
}
