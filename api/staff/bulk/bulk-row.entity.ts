import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { type BulkRowState, bulkRowStates } from "#schema/bulk-run.ts";
import { Choice, Json, LongText, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";

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
@SqlIndex("create index bulk_rows_by_key on bulk_rows (run_id, key) where key is not null")
@SqlIndex("create index bulk_rows_waiting on bulk_rows (run_id, row_number) where details is not null")
@SqlIndex("create index bulk_rows_of_user on bulk_rows (user_id) where user_id is not null")
export class BulkRow {
  @RowId()
  runId!: string;

  @Field(() => Int, { description: "Row number as in a spreadsheet. The header is row 1." })
  @PrimaryKey({ type: types.integer })
  rowNumber!: number;

  @Choice(bulkRowStates)
  state!: BulkRowState;

  @LongText("The subject of the row, such as an email address or a support code.", { personal: "deleted" })
  label!: string;

  /** Unique key within a run: the email address in lower case, or the licence ID. */
  @Text({ nullable: true, personal: "deleted" })
  key: string | null = null;

  @Uuid("ID of the user concerned. Null until the user exists.", {
    nullable: true,
    personal: { kept: "Removed with the row after 30 days." },
  })
  userId: string | null = null;

  @Uuid("ID of the licence concerned. Null until the licence exists.", {
    nullable: true,
    personal: { kept: "Removed with the row after 30 days." },
  })
  licenceId: string | null = null;

  @Text("Support code of the licence concerned. Null until the licence exists.", {
    nullable: true,
    personal: { kept: "Removed with the row after 30 days." },
  })
  supportCode: string | null = null;

  @LongText("The planned change or its result, as a sentence.", { personal: "deleted" })
  says!: string;

  @Scope("session")
  @Json("Errors of the row. Empty if there are none.", { field: () => [BulkFault], personal: "deleted" })
  faults: BulkFault[] = [];

  /** Values to write. Null once they have been written, or if they never will be. */
  @Json({ nullable: true, personal: "deleted" })
  details: object | null = null;
}
