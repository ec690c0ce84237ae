import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, Int, ObjectType } from "type-graphql";
import { type BulkKind, bulkKinds, type BulkState, bulkStates } from "#schema/bulk-run.ts";
import type { UserSelectionValues } from "#schema/user-list.ts";
import { kept, Choice, Integer, Json, Moment, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";

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

  @Json({ personal: "none" })
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
