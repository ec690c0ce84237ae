import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { auditSubjects } from "./audit-actions.ts";

/** The fields of a row that a change touched, under the names they have in GraphQL. */
export type AuditedValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * One change that a member of staff made: who, when, what, before and after. Rows are only ever added;
 * they hold no foreign keys, because they outlive what they tell of.
 */
@ObjectType({ description: "One change that an admin made: who, when, what, before and after." })
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
export class AuditEntry {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  /** Null for what the product did by itself. */
  @Field(() => ID, { nullable: true, description: "The admin; null for the system." })
  @Property({ type: types.uuid, nullable: true })
  actorId: string | null = null;

  @Field(() => String, { description: "The admin's name and address as they were then." })
  @Property({ type: types.string })
  actorName!: string;

  /** A verb and a noun, such as `update-user`; {@link auditActions} lists them. */
  @Field(() => String, { description: "Such as `update-user`." })
  @Property({ type: types.string })
  action!: string;

  @Field(() => String, {
    description: `What was changed: ${auditSubjects.map((subject) => `\`${subject}\``).join(", ")}.`,
  })
  @Property({ type: types.string })
  subjectType!: string;

  @Field(() => ID)
  @Property({ type: types.string })
  subjectId!: string;

  @Field(() => String, { description: "The subject as staff know it: a name, a support code, a promo code." })
  @Property({ type: types.string })
  subjectName!: string;

  @Field(() => ID, { nullable: true, description: "The user it concerns; null for a promo code or a build." })
  @Property({ type: types.uuid, nullable: true })
  userId: string | null = null;

  /** Only what differs; null where there was nothing. Emptied when the account is deleted. */
  @Property({ type: types.json, nullable: true })
  before: AuditedValues | null = null;

  @Property({ type: types.json, nullable: true })
  after: AuditedValues | null = null;

  @Field(() => String, { description: "The address the admin asked from." })
  @Property({ type: types.string })
  ip!: string;

  /** Found in the log of the process. */
  @Property({ type: types.string })
  requestId!: string;
}
