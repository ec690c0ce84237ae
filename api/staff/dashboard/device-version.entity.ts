import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** The add-in's version that a device had on the last day on which it asked, as its licence events tell. */
@Entity({ tableName: "device_versions" })
@Index({
  name: "device_versions_seen",
  expression: "create index device_versions_seen on device_versions (seen_on desc, device_id) include (version)",
})
export class DeviceVersion {
  @PrimaryKey({ type: types.uuid })
  deviceId!: string;

  @Property({ type: types.string })
  version!: string;

  /** In the vendor's time zone. */
  @Property({ type: types.date })
  seenOn!: string;
}
