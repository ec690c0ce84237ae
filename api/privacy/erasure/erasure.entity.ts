import type { Opt } from "@mikro-orm/core";
import { Entity, Index, OneToOne } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Choice, Classified, Json, Moment, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import type { BatchResult, ErasureSubject } from "#api/platform/database/personal-data.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Certificate } from "#api/messaging/emails/templates/account-deleted.tsx";
import { type ErasureRequester, erasureRequesters, type ErasureState, erasureStates } from "#schema/erasure.ts";

const asProof = { kept: "Proof of the erasure." };

/** The erasure of one user: the request, its progress, and the certificate when it is done. */
@VisibleTo("admin")
@ObjectType({ description: "The erasure of a user's personal data." })
@Entity({ tableName: "erasures" })
@SqlIndex("create index erasures_running on erasures (worked_at) where state = 'running'")
export class Erasure {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Classified(asProof)
  @OneToOne(() => User, { owner: true, deleteRule: "no action" })
  user!: User;

  @Choice(erasureRequesters, { personal: asProof })
  requestedBy!: ErasureRequester;

  @Uuid("The ID of the admin who requested the erasure. Null for customers and operators.", {
    exposedAs: "adminId",
    nullable: true,
    personal: asProof,
  })
  requestedById: string | null = null;

  @Moment("The date and time the account was closed, in UTC.", { personal: asProof })
  requestedAt!: Date;

  @Choice(erasureStates, { default: "running" })
  state: Opt<ErasureState> = "running";

  /** Salted hash of the email address (`hash_of_email`), which lets an operator find the erasure later. */
  @Index()
  @Text({ nullable: true, personal: { kept: "Salted hash that finds the erasure of an address." } })
  emailHash: string | null = null;

  @Json({ nullable: true, personal: "deleted" })
  subject: ErasureSubject | null = null;

  @Json({ personal: "none" })
  progress: Opt<Record<string, BatchResult>> = {};

  /** The last time a worker finished a batch, by the database's clock. */
  @Moment()
  workedAt!: Date;

  @Moment("The date and time the erasure finished, in UTC. Null while it is running.", {
    nullable: true,
    personal: asProof,
  })
  finishedAt: Date | null = null;

  @Json({ nullable: true, personal: asProof })
  certificate: Certificate | null = null;
}
