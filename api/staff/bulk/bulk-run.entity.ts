import { type Opt, types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, Int, ObjectType } from "type-graphql";
import {
  type BulkKind,
  bulkKinds,
  type BulkState,
  bulkStates,
  type BulkRowState,
  bulkRowStates,
} from "#schema/bulk-run.ts";
import type { UserSelectionValues } from "#schema/user-list.ts";
import {
  kept,
  Choice,
  Integer,
  Json,
  Moment,
  RowId,
  SqlIndex,
  Text,
  Uuid,
  LongText,
} from "#api/platform/database/columns.ts";
import { VisibleTo, Scope } from "#api/platform/graphql/declare.ts";

/** Options of a run and the conditions that select its licences. Stored as JSON, so dates are ISO 8601. */
export interface BulkOptions {
  readonly expiresAt?: string;
  readonly addDays?: number;
  readonly inviteByMail?: boolean;
  /** Set if the licences were selected by conditions instead of a file. */
  readonly conditions?: {
    readonly productLevel?: number;
    readonly licenceCategory?: number;
    readonly purchaseOrderNumber?: string;
    readonly expiringFrom?: string;
    readonly expiringTo?: string;
    readonly onlyTrials?: boolean;
  };
  /** Users whose licences the run changes. Dates are as in the list of users. */
  readonly users?: Partial<UserSelectionValues>;
}

@VisibleTo("admin")
@ObjectType({
  description:
    "A bulk run. Its rows are checked first, then processed in the background after an admin starts the run.",
})
@Entity({ tableName: "bulk_runs" })
@SqlIndex("create index bulk_runs_newest on bulk_runs (created_at desc, id desc)")
export class BulkRun {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Choice(bulkKinds)
  kind!: BulkKind;

  @Choice(bulkStates)
  state: Opt<BulkState> = "checking";

  @Moment("UTC.")
  createdAt!: Date;

  @Uuid({ personal: kept.staffLog })
  createdById!: string;

  @Text(
    "Name and email address, at the time, of the admin who started the run, or who uploaded it if it wasn't started.",
    { personal: "deleted" },
  )
  createdByName!: string;

  /** IP address of the admin's request, recorded with every change that the run makes. */
  @Text({ personal: "deleted" })
  ip!: string;

  @Text({ personal: kept.staffLog })
  requestId!: string;

  @Text("Name of the uploaded file. Empty if no file was uploaded.", { personal: "deleted" })
  fileName: Opt<string> = "";

  /** Storage key of the uploaded file until it has been read. */
  @Text({ nullable: true, personal: { kept: "The uploaded file is removed within a day." } })
  storageKey: string | null = null;

  @Json({ personal: { kept: "A search for users is removed after 30 days." } })
  options: Opt<BulkOptions> = {};

  @Text("Character encoding detected in the file, such as `UTF-8`.", { nullable: true, personal: "none" })
  encoding: string | null = null;

  @Text("Separator detected in the file: `,`, `;` or a tab.", { nullable: true, personal: "none" })
  separator: string | null = null;

  @Json("Warnings, such as an assumed encoding, an ignored column, or the reason the run was stopped.", {
    field: () => [String],
    personal: "deleted",
  })
  notes: Opt<string[]> = [];

  @Json("Reasons the file was rejected.", { field: () => [String], personal: "none" })
  faults: Opt<string[]> = [];

  /** Percentage of the file that has been checked. */
  @Integer()
  checkedPercent: Opt<number> = 0;

  /** ID of the last licence compared with the run's conditions, whether or not it matched. */
  @Uuid({ nullable: true, personal: "none" })
  lookedUpTo: string | null = null;

  @Integer("Number of rows that passed the check, whether processed yet or not.")
  planned: Opt<number> = 0;

  @Integer("Number of rows skipped because of errors.")
  faulty: Opt<number> = 0;

  @Integer("Number of rows processed successfully.")
  done: Opt<number> = 0;

  @Integer("Number of rows that passed the check but failed during processing.")
  failed: Opt<number> = 0;

  @Moment("UTC.", { nullable: true })
  startedAt: Date | null = null;

  @Moment("UTC.", { nullable: true })
  finishedAt: Date | null = null;

  /** ID of the worker, across all processes, that has claimed the run until `workerUntil`. */
  @Uuid({ nullable: true, personal: "none" })
  workerId: string | null = null;

  @Moment({ nullable: true })
  workerUntil: Date | null = null;

  @Moment("When the rows were removed, in UTC. Null while they are kept.", { nullable: true })
  rowsRemovedAt: Date | null = null;

  @Field(() => Int, { description: "Progress of the check, or of the run once it has started, from 0 to 100." })
  get progress(): Opt<number> {
    if (this.state === "checking") return this.checkedPercent;
    if (this.state !== "running") return 100;
    return Math.floor((100 * (this.done + this.failed)) / Math.max(1, this.planned));
  }
}

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
