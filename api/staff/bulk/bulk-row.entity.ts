import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type BulkRowState, bulkRowStates } from "#schema/bulk.ts";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

@VisibleTo("admin")
@ObjectType({ description: "An error in one cell of a row." })
export class BulkFault {
  @Field(() => String, {
    description: "Label of the column, such as `Post Code`. `Row` if the error concerns the whole row.",
  })
  column!: string;

  @Field(() => String, { description: "What is wrong, as a sentence." })
  message!: string;
}

/**
 * One row of a bulk run. Rows are kept for 30 days because they contain personal data. The planned values are removed
 * as soon as they have been applied (decision 0036). A unique key prevents duplicate rows.
 */
@VisibleTo("admin")
@ObjectType({ description: "One row of a bulk run, with the planned change or its result." })
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

  @Field(() => Int, { description: "Row number as in a spreadsheet. The header is row 1." })
  @PrimaryKey({ type: types.integer })
  rowNumber!: number;

  @Field(enumType(bulkRowStates), { description: bulkRowStates.meaning })
  @Property({ type: types.string })
  state!: BulkRowState;

  @Field(() => String, { description: "The subject of the row, such as an email address or a support code." })
  @Property({ type: types.text })
  label!: string;

  /** Unique key within a run: the email address in lower case, or the licence ID. */
  @Property({ type: types.string, nullable: true })
  key: string | null = null;

  @Field(() => ID, { nullable: true, description: "ID of the user concerned. Null until the user exists." })
  @Property({ type: types.uuid, nullable: true })
  userId: string | null = null;

  @Field(() => ID, { nullable: true, description: "ID of the licence concerned. Null until the licence exists." })
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: "Support code of the licence concerned. Null until the licence exists.",
  })
  @Property({ type: types.string, nullable: true })
  supportCode: string | null = null;

  @Field(() => String, { description: "The planned change or its result, as a sentence." })
  @Property({ type: types.text })
  says!: string;

  @Scope("session")
  @Field(() => [BulkFault], { description: "Errors of the row. Empty if there are none." })
  @Property({ type: types.json })
  faults: BulkFault[] = [];

  /** Values to write. Null once they have been written, or if they never will be. */
  @Property({ type: types.json, nullable: true })
  details: object | null = null;
}
