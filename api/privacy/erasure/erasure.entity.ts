import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import type { ErasureSubject } from "#api/platform/personal-data.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Certificate } from "#api/messaging/mails/templates/account-deleted.tsx";

/** Who asked for an erasure: the user, an admin, or an operator at the command line. */
export type ErasureRequester = "customer" | "staff" | "operator";

/** Progress of one part; `cursor` is where the next batch begins, for parts that need one. */
export interface PartProgress {
  readonly rows: number;
  readonly isDone: boolean;
  readonly cursor?: unknown;
}

/** The erasure of one user: what was requested, how far it is, and the certificate once it is done. */
@ObjectType({ description: "The erasure of a user's personal data." })
@Entity({ tableName: "erasures" })
@Index({
  name: "erasures_running",
  expression: "create index erasures_running on erasures (worked_at) where state = 'running'",
})
export class Erasure {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { owner: true, deleteRule: "no action" })
  user!: User;

  @Field(() => String, { description: "`customer`, `staff` or `operator`." })
  @Property({ type: types.string })
  requestedBy!: ErasureRequester;

  @Field(() => ID, { nullable: true, description: "The admin who requested it; null for customers and operators." })
  @Property({ type: types.uuid, nullable: true })
  requestedById: string | null = null;

  @Field(() => Date, { description: "UTC. The account was closed at this moment." })
  @Property({ type: types.datetime })
  requestedAt!: Date;

  @Field(() => String, { description: "`running` until every part is done, then `done`." })
  @Property({ type: types.string, default: "running" })
  state: Opt<"running" | "done"> = "running";

  /** Salted hash of the email address (`hash_of_email`), by which an operator finds the erasure later. */
  @Index()
  @Property({ type: types.string, nullable: true })
  emailHash: string | null = null;

  @Property({ type: types.json, nullable: true })
  subject: ErasureSubject | null = null;

  @Property({ type: types.json })
  progress: Opt<Record<string, PartProgress>> = {};

  /** When a worker last finished a batch, by the database's clock. */
  @Property({ type: types.datetime })
  workedAt!: Date;

  @Field(() => Date, { nullable: true, description: "UTC; null while it is running." })
  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;

  @Property({ type: types.json, nullable: true })
  certificate: Certificate | null = null;
}
