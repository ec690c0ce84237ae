import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import type { BulkRowState } from "#schema/bulk.ts";

@ObjectType({ description: "What is wrong with a cell." })
export class BulkFault {
  @Field(() => String, {
    description: "The column as people read it, such as Post Code; `Row` for the row as a whole.",
  })
  column!: string;

  @Field(() => String)
  message!: string;
}

/**
 * One row of a bulk run. What it says of a person is kept for 30 days, what it would write only until it has been
 * written (decision 0036). Its key makes sure that no row is there twice.
 */
@ObjectType({ description: "One row of a bulk run: what would happen, or what came of it." })
@Entity({ tableName: "bulk_rows" })
@Index({
  name: "bulk_rows_by_key",
  expression: "create index bulk_rows_by_key on bulk_rows (run_id, key) where key is not null",
})
@Index({
  name: "bulk_rows_waiting",
  expression: "create index bulk_rows_waiting on bulk_rows (run_id, row_number) where details is not null",
})
@Index({
  name: "bulk_rows_of_user",
  expression: "create index bulk_rows_of_user on bulk_rows (user_id) where user_id is not null",
})
export class BulkRow {
  @PrimaryKey({ type: types.uuid })
  runId!: string;

  /** As a spreadsheet counts: the header is row 1. */
  @Field(() => Int, { description: "As a spreadsheet counts them: the header is row 1." })
  @PrimaryKey({ type: types.integer })
  rowNumber!: number;

  @Field(() => String, { description: "`planned`, `faulty`, `done` or `failed`." })
  @Property({ type: types.string })
  state!: BulkRowState;

  @Field(() => String, { description: "Whom or what it is about: an email address, a support code." })
  @Property({ type: types.text })
  label!: string;

  /** What may stand in a run only once: an address in lower case, a licence's id. */
  @Property({ type: types.string, nullable: true })
  key: string | null = null;

  @Field(() => ID, { nullable: true, description: "The user it concerns, once there is one." })
  @Property({ type: types.uuid, nullable: true })
  userId: string | null = null;

  @Field(() => ID, { nullable: true, description: "The licence it concerns, once there is one." })
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: types.string, nullable: true })
  supportCode: string | null = null;

  @Field(() => String, { description: "What would happen, or what came of it." })
  @Property({ type: types.text })
  says!: string;

  @Field(() => [BulkFault])
  @Property({ type: types.json })
  faults: BulkFault[] = [];

  /** What is to be written; null once it has been, or never will be. */
  @Property({ type: types.json, nullable: true })
  details: object | null = null;
}
