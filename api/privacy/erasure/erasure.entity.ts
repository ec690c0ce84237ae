import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import type { ErasureSubject } from "#api/platform/database/personal-data.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Certificate } from "#api/messaging/emails/templates/account-deleted.tsx";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { type ErasureRequester, erasureRequesters, type ErasureState, erasureStates } from "#schema/erasure.ts";

/** Party that requested an erasure: the user, an admin, or an operator at the command line. */

/** Progress of one part of an erasure. `cursor` is the start of the next batch, for parts that need one. */
export interface PartProgress {
  readonly rows: number;
  readonly isDone: boolean;
  readonly cursor?: unknown;
}

/** The erasure of one user: the request, its progress, and the certificate when it is done. */
@VisibleTo("admin")
@ObjectType({ description: "The erasure of a user's personal data." })
@Entity({ tableName: "erasures" })
@Index({
  name: "erasures_running",
  expression: "create index erasures_running on erasures (worked_at) where state = 'running'",
})
export class Erasure {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { owner: true, deleteRule: "no action" })
  user!: User;

  @Field(enumType(erasureRequesters), { description: erasureRequesters.meaning })
  @Property({ type: types.string })
  requestedBy!: ErasureRequester;

  @Field(() => ID, {
    name: "adminId",
    nullable: true,
    description: "The ID of the admin who requested the erasure. Null for customers and operators.",
  })
  @Property({ type: types.uuid, nullable: true })
  requestedById: string | null = null;

  @Field(() => Date, { description: "The date and time the account was closed, in UTC." })
  @Property({ type: types.datetime })
  requestedAt!: Date;

  @Field(enumType(erasureStates), { description: erasureStates.meaning })
  @Property({ type: types.string, default: "running" })
  state: Opt<ErasureState> = "running";

  /** Salted hash of the email address (`hash_of_email`), which lets an operator find the erasure later. */
  @Index()
  @Property({ type: types.string, nullable: true })
  emailHash: string | null = null;

  @Property({ type: types.json, nullable: true })
  subject: ErasureSubject | null = null;

  @Property({ type: types.json })
  progress: Opt<Record<string, PartProgress>> = {};

  /** The last time a worker finished a batch, by the database's clock. */
  @Property({ type: types.datetime })
  workedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "The date and time the erasure finished, in UTC. Null while it is running.",
  })
  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;

  @Property({ type: types.json, nullable: true })
  certificate: Certificate | null = null;
}
