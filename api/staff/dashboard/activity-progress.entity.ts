import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Text } from "#api/platform/database/columns.ts";

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
