import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/**
 * How often one kind of question was answered in one way on one day: the licence events of before
 * `ActivityProgress.countedUntil`, added up (`count-activity.ts`). Outlives the events it counts.
 */
@Entity({ tableName: "daily_activity" })
export class DailyActivity {
  [PrimaryKeyProp]?: ["day", "kind", "resultCode"];

  /** In the vendor's time zone; in UTC where the events were gone when that became the rule. */
  @PrimaryKey({ type: types.date })
  day!: string;

  /** Of a licence event. */
  @PrimaryKey({ type: types.string })
  kind!: string;

  /** Result code. */
  @PrimaryKey({ type: types.smallint })
  resultCode!: number;

  @Property({ type: types.bigint })
  count!: string;
}
