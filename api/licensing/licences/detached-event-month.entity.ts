import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Integer, Moment } from "#api/platform/database/columns.ts";

/** A month of licence events in a detached table. It is archived, and dropped after a week unless it is attached again. */
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

  /** When all events were in the archive. Null before. */
  @Moment({ nullable: true })
  archivedAt: Date | null = null;

  /** Number of files of the archive. */
  @Integer({ default: 0 })
  archivedFiles: Opt<number> = 0;

  /** Number of events in the archive. */
  @Property({ type: types.bigint, defaultRaw: "0" })
  archivedEvents: Opt<string> = "0";

  /** Id of the last event in the archive. */
  @Property({ type: types.bigint, defaultRaw: "0" })
  archivedToId: Opt<string> = "0";

  /** Until when a month restored from the archive stays attached. Null if it wasn't restored. */
  @Moment({ nullable: true })
  keptUntil: Date | null = null;
}
