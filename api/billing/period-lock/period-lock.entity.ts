import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { ObjectType } from "type-graphql";
import { kept, Day, LongText, Moment, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";

/** The day through which the accounts are locked (docs/domain.md#period-lock), in one row. The audit log has the history. */
@VisibleTo("admin")
@ObjectType({ description: "Which months of the accounts are locked." })
@Entity({ tableName: "period_locks" })
export class PeriodLock {
  @PrimaryKey({ type: types.integer, autoincrement: false })
  id!: number;

  @Day("Last locked day in the vendor's time zone: the end of a month. Null if nothing is locked.", { nullable: true })
  lockedThrough: string | null = null;

  @LongText("The reason for the last change.", { nullable: true, personal: kept.staffLog })
  reason: string | null = null;

  @Moment("When it was last changed, in UTC.", { nullable: true })
  changedAt: Date | null = null;

  /** Admin who last changed it. */
  @Uuid({ nullable: true, personal: kept.staffLog })
  changedById: string | null = null;
}
