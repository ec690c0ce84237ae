import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";

/** The day through which the accounts are locked (docs/domain.md#period-lock), in one row. The audit log has the history. */
@VisibleTo("admin")
@ObjectType({ description: "Which months of the accounts are locked." })
@Entity({ tableName: "period_locks" })
export class PeriodLock {
  @PrimaryKey({ type: types.integer, autoincrement: false })
  id!: number;

  @Field(() => DayScalar, {
    nullable: true,
    description: "Last locked day in the vendor's time zone: the end of a month. Null if nothing is locked.",
  })
  @Property({ type: types.date, nullable: true })
  lockedThrough: string | null = null;

  @Field(() => String, { nullable: true, description: "The reason for the last change." })
  @Property({ type: types.text, nullable: true })
  reason: string | null = null;

  @Field(() => Date, { nullable: true, description: "When it was last changed, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  changedAt: Date | null = null;

  /** Admin who last changed it. */
  @Property({ type: types.uuid, nullable: true })
  changedById: string | null = null;
}
