import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { auditedFieldInWords, auditedValueInWords } from "#schema/audit-words.ts";
import { User } from "#api/people/users/user.entity.ts";
import { userById } from "#api/people/users/get-user.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRead } from "#api/platform/field-costs.ts";
import { type AuditAction, auditActions } from "#api/audit/change-log/audit-actions.ts";
import { type AuditedValues, AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { listAuditActors, listAuditEntries } from "./list-audit-entries.ts";

@ObjectType({ description: "One field that was changed, in words." })
export class AuditChange {
  @Field(() => String, { description: "As screens label it." })
  field!: string;

  @Field(() => String, { nullable: true, description: "Null where there was nothing." })
  before!: string | null;

  @Field(() => String, { nullable: true, description: "Null where there is nothing." })
  after!: string | null;
}

@ObjectType({ description: "A part of the audit log, newest first." })
export class AuditPage {
  @Field(() => [AuditEntry])
  rows!: AuditEntry[];

  @Field(() => String, { nullable: true, description: "Given as `after`, it leads to the next, older part." })
  endCursor!: string | null;

  @Field(() => Boolean, { description: "Whether there is an older part." })
  hasMore!: boolean;
}

@ObjectType({ description: "Somebody who changed something." })
export class AuditActor {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: "Name and address as they were last." })
  name!: string;
}

@ObjectType("AuditAction", { description: "A kind of change." })
export class NamedAction {
  @Field(() => String, { description: "Such as `update-user`." })
  action!: string;

  @Field(() => String)
  words!: string;
}

@InputType({ description: "Which entries of the audit log; what is left out doesn't narrow it." })
export class AuditFilter {
  @Field(() => ID, { nullable: true, description: "Who made the change." })
  actorId?: string;

  @Field(() => String, { nullable: true, description: `One of ${Object.keys(auditActions).join(", ")}.` })
  action?: string;

  @Field(() => String, { nullable: true, description: "ISO 8601 or YYYY-MM-DD; UTC when it names no offset." })
  from?: string;

  @Field(() => String, { nullable: true, description: "As `from`; a day without a time includes all of itself." })
  to?: string;

  @Field(() => String, {
    nullable: true,
    description: "Words of the subject or of the user it concerns, or the id of either; a support code.",
  })
  search?: string;
}

/** What an audited change did, field by field, in words. */
export function changesInWords(before: AuditedValues | null, after: AuditedValues | null): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  // It counts the changes, and tells nobody anything.
  fields.delete("revision");
  return [...fields]
    .map((field) => ({
      field: auditedFieldInWords(field),
      before: auditedValueInWords(field, before?.[field]),
      after: auditedValueInWords(field, after?.[field]),
    }))
    .filter((change) => change.before !== null || change.after !== null)
    .toSorted((one, other) => one.field.localeCompare(other.field, "en"));
}

/** An audited action in words; its own name for one that the list does not know. */
export function auditActionInWords(action: string): string {
  return action in auditActions ? auditActions[action as AuditAction] : action;
}

@Resolver(() => AuditEntry)
export class AuditResolver {
  @Allow("admin")
  @Query(() => AuditPage, {
    description: "What admins changed, newest first.",
    complexity: ({ args, childComplexity }) => Math.max(1, (args as { first?: number }).first ?? 20) * childComplexity,
  })
  async auditLog(
    @Arg("filter", () => AuditFilter, { defaultValue: {} }) filter: AuditFilter,
    @Arg("first", () => Int, { defaultValue: 20, description: "At most 100." }) first: number,
    @Arg("after", () => String, { nullable: true }) after: string | undefined,
    @Ctx() context: Context,
  ): Promise<AuditPage> {
    return listAuditEntries(context, { filter, first, after });
  }

  @Allow("admin")
  @Query(() => [AuditActor], {
    description: "Everybody who is in the audit log, by name.",
    complexity: costOfRead(500),
  })
  async auditActors(@Ctx() context: Context): Promise<AuditActor[]> {
    return listAuditActors(context);
  }

  @Allow("admin")
  @Query(() => [NamedAction], { description: "Every kind of change that is written to the audit log." })
  auditActions(): NamedAction[] {
    return Object.entries(auditActions).map(([action, words]) => ({ action, words }));
  }

  @FieldResolver(() => String, { description: "What was done, in words." })
  what(@Root() { action }: AuditEntry): string {
    return auditActionInWords(action);
  }

  @Allow("admin")
  @FieldResolver(() => [AuditChange], { description: "What differs, field by field; empty once it was erased." })
  changes(@Root() { before, after }: AuditEntry): AuditChange[] {
    return changesInWords(before, after);
  }

  @Allow("admin")
  @FieldResolver(() => User, {
    nullable: true,
    description: "The user it concerns; null for none and for one that is gone.",
  })
  async user(@Root() { userId }: AuditEntry, @Ctx() context: Context): Promise<User | null> {
    return userId === null ? null : userById(context, userId);
  }
}
