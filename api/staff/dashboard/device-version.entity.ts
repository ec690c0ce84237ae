import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** The add-in version in a device's last licence request, taken from its licence events. */
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

  /** Day of the last request, in the vendor's time zone. */
  @Property({ type: types.date })
  seenOn!: string;
}
