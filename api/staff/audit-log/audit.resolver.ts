import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { findLabel } from "#schema/closed-list.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { auditFilterRules, type AuditFilterValues, formatAuditedValue, labelAuditedField } from "#schema/audit.ts";
import { loadUserById, User } from "#api/people/users/user.entity.ts";
import { Allow, createPage, createType, field, fieldOrNull, getEnum, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, HistoryArgs } from "#api/platform/graphql/page.ts";
import { auditActionList, auditActions } from "#api/audit/change-log/audit-actions.ts";
import { type AuditedValues, AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { listAuditActors, listAuditEntries } from "./list-audit-entries.ts";
import { isRevertible, revertChange } from "./revert-change.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { formatRunName } from "#api/staff/bulk/claim-run.ts";

const loadRun = createRowLoader(BulkRun);

export const AuditChange = createType("AuditChange", "admin", "A changed field, formatted for display.", {
  field: field.text("The label of the field in the portal."),
  before: fieldOrNull.text("The value before the change. Null if it was empty."),
  after: fieldOrNull.text("The value after the change. Null if it is empty."),
});
export type AuditChange = InstanceType<typeof AuditChange>;

export const AuditPage = createPage("AuditPage", "admin", "A page of the audit log, newest first.", {
  rows: field.list(() => AuditEntry, "The entries of the page.", { access: Scope("reports:read") }),
});
export type AuditPage = InstanceType<typeof AuditPage>;

export const AuditActor = createType(
  "AuditActor",
  "admin",
  "A user who appears in the audit log as the author of a change.",
  { id: field.id("Unique ID."), name: field.text("The name and email address in the user's latest entry.") },
);
export type AuditActor = InstanceType<typeof AuditActor>;

export const NamedAction = createType("AuditAction", "admin", "An action that the audit log records.", {
  action: field.choice(auditActionList, "The action."),
  words: field.text("The label of the action."),
});
export type NamedAction = InstanceType<typeof NamedAction>;

const AuditFilter = createInput("AuditFilter", auditFilterRules, {
  description: "Filters for the audit log. Omitted fields don't filter.",
  fields: {
    actorId: { type: ID, description: "The admin who made the change." },
    action: { type: getEnum(auditActionList), description: "The action." },
    bulkRunId: { type: ID, description: "The bulk run that caused the changes." },
    from: "Earliest time, included. UTC if there is no offset.",
    to: "Latest time, in the same formats as `from`. A date without a time includes the whole day.",
    search: "Words from the name of the changed object or its user, the id of either, or a support code.",
  },
});

/** Formats the changed fields of an audit entry for display, sorted by label. */
export function describeChanges(before: AuditedValues | null, after: AuditedValues | null): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  // The revision counter means nothing to a reader.
  fields.delete("revision");
  return [...fields]
    .map((field) => ({
      field: labelAuditedField(field),
      before: formatAuditedValue(field, before?.[field]),
      after: formatAuditedValue(field, after?.[field]),
    }))
    .filter((change) => change.before !== null || change.after !== null)
    .toSorted((one, other) => one.field.localeCompare(other.field, "en"));
}

@Resolver(() => AuditEntry)
export class AuditResolver {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => AuditPage, { description: "Lists changes made by admins, newest first.", complexity: createPageCost() })
  async auditLog(
    @CheckedArg("filter", AuditFilter, { defaultValue: {} }) filter: AuditFilterValues,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Arg("groupRuns", () => Boolean, {
      defaultValue: false,
      description: "Returns one entry for each bulk run, the latest that matches the filter, with `runEntryCount`.",
    })
    groupRuns: boolean,
    @Ctx() context: Context,
  ): Promise<AuditPage> {
    return listAuditEntries(context, { filter, first, after, groupRuns });
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => [AuditActor], {
    description: "Lists the users who made changes in the audit log, sorted by name.",
    complexity: createReadCost(500),
  })
  async auditActors(@Ctx() context: Context): Promise<AuditActor[]> {
    return listAuditActors(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => [NamedAction], { description: "Lists every action that the audit log records." })
  auditActions(): NamedAction[] {
    return Object.entries(auditActions).map(([action, words]) => ({ action, words }));
  }

  @FieldResolver(() => String, { description: "The label of the action." })
  what(@Root() { action }: AuditEntry): string {
    return findLabel(auditActionList, action);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => [AuditChange], { description: "The changed fields. Empty after the user's data was erased." })
  changes(@Root() { before, after }: AuditEntry): AuditChange[] {
    return describeChanges(before, after);
  }

  @FieldResolver(() => Boolean, { description: "Whether `revertChange` can write the values before the change back." })
  isRevertible(@Root() entry: AuditEntry): boolean {
    return isRevertible(entry);
  }

  @Allow("admin", { roles: ["support"], harm: "others", proof: "conditional" })
  @Mutation(() => AuditEntry, {
    description:
      "Writes the values before a change of a user, contact or licence back, with the rules and safeguards of the edit. Returns the new entry, or `CONFLICT` if one of the fields has changed since.",
  })
  async revertChange(
    @Arg("entryId", () => ID, { description: "The audit entry of the change." }) entryId: string,
    @Ctx() context: Context,
  ): Promise<AuditEntry> {
    return revertChange(context, entryId);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => String, {
    nullable: true,
    description: "The name of the bulk run that caused the change: its kind and file. Null without a run.",
  })
  async bulkRunName(@Root() { bulkRunId }: AuditEntry, @Ctx() context: Context): Promise<string | null> {
    const run = bulkRunId === null ? null : await loadRun(context, bulkRunId);
    return run && formatRunName(run);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose account the change affects. Null if there is none or the user no longer exists.",
  })
  async user(@Root() { userId }: AuditEntry, @Ctx() context: Context): Promise<User | null> {
    return userId === null ? null : loadUserById(context, userId);
  }
}
