import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A month of licence events in a detached table. The table is dropped after a week unless it is attached again. */
@Entity({ tableName: "detached_event_months" })
export class DetachedEventMonth {
  /** Name of the month's table. */
  @PrimaryKey({ type: types.string })
  name!: string;

  @Property({ type: types.datetime })
  startsAt!: Date;

  /** Start of the next month. */
  @Property({ type: types.datetime })
  endsAt!: Date;

  @Property({ type: types.datetime })
  detachedAt!: Date;

  /** When the table was dropped. Null while it exists. */
  @Property({ type: types.datetime, nullable: true })
  droppedAt: Date | null = null;
}
