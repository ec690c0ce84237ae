import { Entity } from "@mikro-orm/decorators/legacy";
import { Day, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";

/** The add-in version in a device's last licence request, taken from its licence events. */
@Entity({ tableName: "device_versions" })
@SqlIndex("create index device_versions_seen on device_versions (seen_on desc, device_id) include (version)")
export class DeviceVersion {
  @RowId()
  deviceId!: string;

  @Text({ personal: "none" })
  version!: string;

  /** Day of the last request, in the vendor's time zone. */
  @Day()
  seenOn!: string;
}
