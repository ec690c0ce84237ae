import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type BulkKind, bulkKinds, type BulkState, bulkStates } from "#schema/bulk.ts";
import type { UserSelectionValues } from "#schema/rules/user-list.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

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
@Index({
  name: "bulk_runs_newest",
  expression: "create index bulk_runs_newest on bulk_runs (created_at desc, id desc)",
})
export class BulkRun {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(enumType(bulkKinds), { description: bulkKinds.meaning })
  @Property({ type: types.string })
  kind!: BulkKind;

  @Field(enumType(bulkStates), { description: bulkStates.meaning })
  @Property({ type: types.string })
  state: Opt<BulkState> = "checking";

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.uuid })
  createdById!: string;

  @Field(() => String, {
    description:
      "Name and email address, at the time, of the admin who started the run, or who uploaded it if it wasn't started.",
  })
  @Property({ type: types.string })
  createdByName!: string;

  /** IP address of the admin's request, recorded with every change that the run makes. */
  @Property({ type: types.string })
  ip!: string;

  @Property({ type: types.string })
  requestId!: string;

  @Field(() => String, { description: "Name of the uploaded file. Empty if no file was uploaded." })
  @Property({ type: types.string })
  fileName: Opt<string> = "";

  /** Storage key of the uploaded file until it has been read. */
  @Property({ type: types.string, nullable: true })
  storageKey: string | null = null;

  @Property({ type: types.json })
  options: Opt<BulkOptions> = {};

  @Field(() => String, { nullable: true, description: "Character encoding detected in the file, such as `UTF-8`." })
  @Property({ type: types.string, nullable: true })
  encoding: string | null = null;

  @Field(() => String, { nullable: true, description: "Separator detected in the file: `,`, `;` or a tab." })
  @Property({ type: types.string, nullable: true })
  separator: string | null = null;

  @Field(() => [String], {
    description: "Warnings, such as an assumed encoding, an ignored column, or the reason the run was stopped.",
  })
  @Property({ type: types.json })
  notes: Opt<string[]> = [];

  @Field(() => [String], { description: "Reasons the file was rejected." })
  @Property({ type: types.json })
  faults: Opt<string[]> = [];

  /** Percentage of the file that has been checked. */
  @Property({ type: types.integer })
  checkedPercent: Opt<number> = 0;

  /** ID of the last licence compared with the run's conditions, whether or not it matched. */
  @Property({ type: types.uuid, nullable: true })
  lookedUpTo: string | null = null;

  @Field(() => Int, { description: "Number of rows that passed the check, whether processed yet or not." })
  @Property({ type: types.integer })
  planned: Opt<number> = 0;

  @Field(() => Int, { description: "Number of rows skipped because of errors." })
  @Property({ type: types.integer })
  faulty: Opt<number> = 0;

  @Field(() => Int, { description: "Number of rows processed successfully." })
  @Property({ type: types.integer })
  done: Opt<number> = 0;

  @Field(() => Int, { description: "Number of rows that passed the check but failed during processing." })
  @Property({ type: types.integer })
  failed: Opt<number> = 0;

  @Field(() => Date, { nullable: true, description: "UTC." })
  @Property({ type: types.datetime, nullable: true })
  startedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "UTC." })
  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;

  /** ID of the worker, across all processes, that has claimed the run until `workerUntil`. */
  @Property({ type: types.uuid, nullable: true })
  workerId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  workerUntil: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When the rows were removed, in UTC. Null while they are kept." })
  @Property({ type: types.datetime, nullable: true })
  rowsRemovedAt: Date | null = null;

  @Field(() => Int, { description: "Progress of the check, or of the run once it has started, from 0 to 100." })
  get progress(): Opt<number> {
    if (this.state === "checking") return this.checkedPercent;
    if (this.state !== "running") return 100;
    return Math.floor((100 * (this.done + this.failed)) / Math.max(1, this.planned));
  }
}
