import { type Opt, types } from "@mikro-orm/core";
import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { kept, Choice, Json, Moment, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { auditActionList, auditSubjects } from "./audit-actions.ts";

/** Changed fields of a row, keyed by their GraphQL names. */
export type AuditedValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * One change by a member of staff. Rows are never updated except by erasure. They have no foreign keys because they
 * outlive the rows they describe.
 */
@VisibleTo("admin")
@ObjectType({ description: "A change made by an admin, with the values before and after." })
@Entity({ tableName: "audit_entries" })
@SqlIndex("create index audit_entries_newest on audit_entries (at desc, id desc)")
@SqlIndex("create index audit_entries_of_user on audit_entries (user_id, at desc, id desc)")
@SqlIndex("create index audit_entries_by_actor on audit_entries (actor_id, at desc, id desc)")
@SqlIndex(
  "create index audit_entries_words on audit_entries using gin (to_tsvector('simple'::regconfig, regexp_replace(subject_name, '[^[:alnum:]]+', ' ', 'g')))",
)
@SqlIndex("create index audit_entries_of_subject on audit_entries (subject_id)")
@SqlIndex("create index audit_entries_of_erasure on audit_entries (user_id) where action = 'erase-user'")
@SqlIndex(
  "create index audit_entries_of_run on audit_entries (bulk_run_id, at desc, id desc) where bulk_run_id is not null",
)
@SqlIndex("create index audit_entries_of_no_run on audit_entries (at desc, id desc) where bulk_run_id is null")
export class AuditEntry {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Moment("The time of the change, in UTC.")
  at!: Date;

  @Uuid("The admin who made the change. Null if the system made it.", { nullable: true, personal: kept.staffLog })
  actorId: string | null = null;

  @Text("The admin's name and email address at the time of the change.", { personal: { erasedBy: "audit-actors" } })
  actorName!: string;

  /** A key of {@link auditActions}. */
  @Choice(auditActionList, "The action.")
  action!: string;

  @Choice(auditSubjects, "The type of the object that changed.")
  subjectType!: string;

  @Text("ID of the object that changed.", { field: () => ID, personal: kept.staffLog })
  subjectId!: string;

  @Text("The display name of the changed object: a name, a support code or a promo code.", {
    personal: { erasedBy: "audit-subjects" },
  })
  subjectName!: string;

  @Uuid("The user whose account the change affects. Null for objects without a user, such as promo codes and builds.", {
    nullable: true,
    personal: kept.staffLog,
  })
  userId: string | null = null;

  @Uuid("The bulk run that caused the change, or null.", { nullable: true, personal: "none" })
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
  @Json({ nullable: true, personal: { erasedBy: "audit-subjects" } })
  before: AuditedValues | null = null;

  @Json({ nullable: true, personal: { erasedBy: "audit-subjects" } })
  after: AuditedValues | null = null;

  @Text("The IP address of the admin's request. Only support sees it; for others it is empty.", {
    personal: { erasedBy: "audit-actors" },
  })
  ip!: string;

  /** Matches the request id in the server log. */
  @Text({ personal: kept.staffLog })
  requestId!: string;

  /** Salt of `subjectHash`, the hash of `subjectName`, `before` and `after`. Deleted with them. */
  @Text({ nullable: true, personal: { erasedBy: "audit-subjects" } })
  subjectSalt: string | null = null;

  @Text({ nullable: true, personal: "none" })
  subjectHash: string | null = null;

  /** Salt of `actorHash`, the hash of `actorName` and `ip`. Deleted with them. */
  @Text({ nullable: true, personal: { erasedBy: "audit-actors" } })
  actorSalt: string | null = null;

  @Text({ nullable: true, personal: "none" })
  actorHash: string | null = null;

  /** Proof that the product wrote the row (decision 0060). */
  @Text({ nullable: true, personal: "none" })
  seal: string | null = null;
}
