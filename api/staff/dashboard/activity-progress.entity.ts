import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** How far the licence events are added up. One row, written in the transaction that adds up; none before the first. */
@Entity({ tableName: "activity_progress" })
export class ActivityProgress {
  /** Always 1. */
  @PrimaryKey({ type: types.smallint, autoincrement: false })
  id!: number;

  /** Events of before are in `daily_activity`; those from here on are counted where they lie. */
  @Property({ type: types.datetime, columnType: "timestamptz" })
  countedUntil!: Date;

  /** The time zone whose days the events are added up by. When the vendor's is another, they are added up again. */
  @Property({ type: types.string })
  timeZone!: string;

  /** Days of before were counted when they were over for long, so that nothing late is missing. The beginning of one. */
  @Property({ type: types.datetime, columnType: "timestamptz" })
  settledUntil!: Date;
}
