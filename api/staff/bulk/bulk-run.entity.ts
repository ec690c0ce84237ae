import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import type { BulkKind, BulkState } from "#schema/bulk.ts";

/** What is done to each row, beyond its kind, and which licences were asked for; JSON, so dates are ISO 8601. */
export interface BulkOptions {
  readonly expiresAt?: string;
  readonly addDays?: number;
  readonly inviteByMail?: boolean;
  /** Set when the licences were chosen by conditions rather than by a file. */
  readonly conditions?: {
    readonly productLevel?: number;
    readonly licenceCategory?: number;
    readonly purchaseOrderNumber?: string;
    readonly expiringFrom?: string;
    readonly expiringTo?: string;
  };
}

/** One piece of bulk work: a file or a choice of licences, judged row by row, then carried out in the background. */
@ObjectType({ description: "A piece of bulk work: checked row by row, then carried out in the background." })
@Entity({ tableName: "bulk_runs" })
@Index({
  name: "bulk_runs_newest",
  expression: "create index bulk_runs_newest on bulk_runs (created_at desc, id desc)",
})
export class BulkRun {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => String, {
    description: "`import-users`, `import-licences`, `extend-licences` or `deactivate-licences`.",
  })
  @Property({ type: types.string })
  kind!: BulkKind;

  @Field(() => String, { description: "`checking`, `refused`, `ready`, `running`, `done` or `cancelled`." })
  @Property({ type: types.string })
  state: Opt<BulkState> = "checking";

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.uuid })
  createdById!: string;

  @Field(() => String, {
    description: "Name and address, as they were then, of the admin who had it checked, or else who started it.",
  })
  @Property({ type: types.string })
  createdByName!: string;

  /** Where the admin asked from: goes with what the run writes down. */
  @Property({ type: types.string })
  ip!: string;

  @Property({ type: types.string })
  requestId!: string;

  @Field(() => String, { description: "What the file is called; empty where there was none." })
  @Property({ type: types.string })
  fileName: Opt<string> = "";

  /** Where the file lies until it has been read. */
  @Property({ type: types.string, nullable: true })
  storageKey: string | null = null;

  @Property({ type: types.json })
  options: Opt<BulkOptions> = {};

  @Field(() => String, { nullable: true, description: "How the file's letters were read, such as `UTF-8`." })
  @Property({ type: types.string, nullable: true })
  encoding: string | null = null;

  @Field(() => String, { nullable: true, description: "What stands between the file's cells: `,`, `;` or a tab." })
  @Property({ type: types.string, nullable: true })
  separator: string | null = null;

  @Field(() => [String], {
    description: "What to know: a guess about the file, a column that is left out, why the run was stopped.",
  })
  @Property({ type: types.json })
  notes: Opt<string[]> = [];

  @Field(() => [String], { description: "Why nothing can be done with the file." })
  @Property({ type: types.json })
  faults: Opt<string[]> = [];

  /** Of the file, while it is checked. */
  @Property({ type: types.integer })
  checkedPercent: Opt<number> = 0;

  /** Of a choice by conditions: the last licence looked at, whether it met them or not. */
  @Property({ type: types.uuid, nullable: true })
  lookedUpTo: string | null = null;

  @Field(() => Int, { description: "Rows that were found good, whether carried out yet or not." })
  @Property({ type: types.integer })
  planned: Opt<number> = 0;

  @Field(() => Int, { description: "Rows that are left out for a fault." })
  @Property({ type: types.integer })
  faulty: Opt<number> = 0;

  @Field(() => Int, { description: "Rows carried out." })
  @Property({ type: types.integer })
  done: Opt<number> = 0;

  @Field(() => Int, { description: "Rows found good that could not be carried out after all." })
  @Property({ type: types.integer })
  failed: Opt<number> = 0;

  @Field(() => Date, { nullable: true, description: "UTC." })
  @Property({ type: types.datetime, nullable: true })
  startedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "UTC." })
  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;

  /** The worker that has the run, over all processes, and until when nobody else may take it. */
  @Property({ type: types.uuid, nullable: true })
  workerId: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  workerUntil: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When the rows were removed, UTC; null while they are kept." })
  @Property({ type: types.datetime, nullable: true })
  rowsRemovedAt: Date | null = null;

  @Field(() => Int, { description: "How far the check, or once started the run, has come: 0 to 100." })
  get progress(): Opt<number> {
    if (this.state === "checking") return this.checkedPercent;
    if (this.state !== "running") return 100;
    return Math.floor((100 * (this.done + this.failed)) / Math.max(1, this.planned));
  }
}
