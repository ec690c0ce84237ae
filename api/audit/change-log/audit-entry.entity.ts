import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { auditActionList, auditSubjects } from "./audit-actions.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** Changed fields of a row, keyed by their GraphQL names. */
export type AuditedValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * One change by a member of staff. Rows are never updated except by erasure. They have no foreign keys because they
 * outlive the rows they describe.
 */
@VisibleTo("admin")
@ObjectType({ description: "A change made by an admin, with the values before and after." })
@Entity({ tableName: "audit_entries" })
@Index({
  name: "audit_entries_newest",
  expression: "create index audit_entries_newest on audit_entries (at desc, id desc)",
})
@Index({
  name: "audit_entries_of_user",
  expression: "create index audit_entries_of_user on audit_entries (user_id, at desc, id desc)",
})
@Index({
  name: "audit_entries_by_actor",
  expression: "create index audit_entries_by_actor on audit_entries (actor_id, at desc, id desc)",
})
@Index({
  name: "audit_entries_words",
  expression:
    "create index audit_entries_words on audit_entries using gin (to_tsvector('simple'::regconfig, regexp_replace(subject_name, '[^[:alnum:]]+', ' ', 'g')))",
})
@Index({
  name: "audit_entries_of_subject",
  expression: "create index audit_entries_of_subject on audit_entries (subject_id)",
})
@Index({
  name: "audit_entries_of_run",
  expression:
    "create index audit_entries_of_run on audit_entries (bulk_run_id, at desc, id desc) where bulk_run_id is not null",
})
@Index({
  name: "audit_entries_of_no_run",
  expression: "create index audit_entries_of_no_run on audit_entries (at desc, id desc) where bulk_run_id is null",
})
export class AuditEntry {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => Date, { description: "The time of the change, in UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(() => ID, { nullable: true, description: "The admin who made the change. Null if the system made it." })
  @Property({ type: types.uuid, nullable: true })
  actorId: string | null = null;

  @Field(() => String, { description: "The admin's name and email address at the time of the change." })
  @Property({ type: types.string })
  actorName!: string;

  /** A key of {@link auditActions}. */
  @Field(enumType(auditActionList), { description: "The action." })
  @Property({ type: types.string })
  action!: string;

  @Field(enumType(auditSubjects), { description: "The type of the object that changed." })
  @Property({ type: types.string })
  subjectType!: string;

  @Field(() => ID, { description: "ID of the object that changed." })
  @Property({ type: types.string })
  subjectId!: string;

  @Field(() => String, {
    description: "The display name of the changed object: a name, a support code or a promo code.",
  })
  @Property({ type: types.string })
  subjectName!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      "The user whose account the change affects. Null for objects without a user, such as promo codes and builds.",
  })
  @Property({ type: types.uuid, nullable: true })
  userId: string | null = null;

  @Field(() => ID, { nullable: true, description: "The bulk run that caused the change, or null." })
  @Property({ type: types.uuid, nullable: true })
  bulkRunId: string | null = null;

  /** Counted only where entries are grouped by run. */
  @Field(() => Int, {
    nullable: true,
    description:
      "With `groupRuns`: the exact number of entries of the run that match the filter. Null for other entries.",
  })
  @Property({ type: types.integer, persist: false, nullable: true })
  runEntryCount?: number | null;

  /** Changed fields only. Null if the object did not exist before or the account was erased. */
  @Property({ type: types.json, nullable: true })
  before: AuditedValues | null = null;

  @Property({ type: types.json, nullable: true })
  after: AuditedValues | null = null;

  @Field(() => String, { description: "The IP address of the admin's request." })
  @Property({ type: types.string })
  ip!: string;

  /** Matches the request id in the server log. */
  @Property({ type: types.string })
  requestId!: string;

  /** Salt of `subjectHash`, the hash of `subjectName`, `before` and `after`. Deleted with them. */
  @Property({ type: types.string, nullable: true })
  subjectSalt: string | null = null;

  @Property({ type: types.string, nullable: true })
  subjectHash: string | null = null;

  /** Salt of `actorHash`, the hash of `actorName` and `ip`. Deleted with them. */
  @Property({ type: types.string, nullable: true })
  actorSalt: string | null = null;

  @Property({ type: types.string, nullable: true })
  actorHash: string | null = null;

  /** Proof that the product wrote the row (decision 0060). */
  @Property({ type: types.string, nullable: true })
  seal: string | null = null;
}
