import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Moment } from "#api/platform/database/columns.ts";

/** A month of licence events in a detached table. The table is dropped after a week unless it is attached again. */
@Entity({ tableName: "detached_event_months" })
export class DetachedEventMonth {
  /** Name of the month's table. */
  @PrimaryKey({ type: types.string })
  name!: string;

  @Moment()
  startsAt!: Date;

  /** Start of the next month. */
  @Moment()
  endsAt!: Date;

  @Moment()
  detachedAt!: Date;

  /** When the table was dropped. Null while it exists. */
  @Moment({ nullable: true })
  droppedAt: Date | null = null;
}
