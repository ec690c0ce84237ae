import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/**
 * Number of licence events of one kind with one result on one day, before `ActivityProgress.countedUntil`
 * (`count-activity.ts`). The counts are kept longer than the events themselves.
 */
@Entity({ tableName: "daily_activity" })
export class DailyActivity {
  [PrimaryKeyProp]?: ["day", "kind", "resultCode"];

  /** Day in the vendor's time zone, or in UTC for old days whose events no longer existed when the time zone changed. */
  @PrimaryKey({ type: types.date })
  day!: string;

  /** Kind of the licence events. */
  @PrimaryKey({ type: types.string })
  kind!: string;

  @PrimaryKey({ type: types.smallint })
  resultCode!: number;

  @Property({ type: types.bigint })
  count!: string;
}
