import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Text, Day, RowId, SqlIndex } from "#api/platform/database/columns.ts";

/**
 * Number of licence events of one kind with one result on one day, before `ActivityProgress.countedUntil`
 * (`count-activity.ts`). The counts are kept longer than the events themselves.
 */
@Entity({ tableName: "daily_activity" })
export class DailyActivity {
  [PrimaryKeyProp]?: ["day", "kind", "resultCode"];

  /**
   * Day in the vendor's time zone. Days whose events no longer existed when the time zone changed keep the former one.
   */
  @PrimaryKey({ type: types.date })
  day!: string;

  @PrimaryKey({ type: types.string })
  kind!: string;

  @PrimaryKey({ type: types.smallint })
  resultCode!: number;

  @Property({ type: types.bigint })
  count!: string;
}

/**
 * Progress of counting licence events. There is a single row, written in the transaction that counts. It is missing
 * before the first count.
 */
@Entity({ tableName: "activity_progress" })
export class ActivityProgress {
  /** Always 1. */
  @PrimaryKey({ type: types.smallint, autoincrement: false })
  id!: number;

  /** Events before this time are counted in `daily_activity`. Later ones are counted when the dashboard is read. */
  @Property({ type: types.datetime, columnType: "timestamptz" })
  countedUntil!: Date;

  /** Time zone of the counted days. Events are counted again if this differs from the vendor's time zone. */
  @Text({ personal: "none" })
  timeZone!: string;

  /** Start of a day. Earlier days have been recounted after the delay for late events and are final. */
  @Property({ type: types.datetime, columnType: "timestamptz" })
  settledUntil!: Date;
}

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
