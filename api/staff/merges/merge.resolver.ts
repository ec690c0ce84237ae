import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { mergedKinds, mergeTargetRules, UNDO_DAYS, type MergedKind } from "#schema/account-merge.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { isUuid } from "#api/platform/validate.ts";
import { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { mergeAccounts, undoMerge, movedTables } from "./merge-accounts.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { queryRow } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { findMergeRefusal } from "./merge-refusals.ts";

const MergedRows = createType("MergedRows", "admin", "The number of rows of one kind.", {
  kind: field.choice(mergedKinds),
  rows: field.integer("Number of rows."),
});
type MergedRows = InstanceType<typeof MergedRows>;

const MergePreview = createType("MergePreview", "admin", "What merging two accounts would do.", {
  merged: field.object(() => User, "The account that would end.", { access: Scope("users:read") }),
  moves: field.list(() => MergedRows, "What would move, without kinds that have no rows.", {
    access: Scope("users:read"),
  }),
  stays: field.list(() => MergedRows, "What would stay with the account that ends.", { access: Scope("users:read") }),
  refusal: fieldOrNull.text("Why the accounts can't be merged. Null if they can."),
});
type MergePreview = InstanceType<typeof MergePreview>;

/**
 * Returns what merging the account of an email address into another account would move and leave. Kinds without rows are
 * left out.
 * @throws AppError NOT_FOUND for an unknown user; BAD_USER_INPUT if no account has the address
 */
async function previewMerge(context: Context, keptId: string, email: string): Promise<MergePreview> {
  const { em } = context;
  const kept = await getUser(context, keptId);
  const merged = await em.findOne(User, { signInEmail: email.toLowerCase() });
  if (!merged) throw badInput({ email: ["No account has this address."] });
  const count = (table: string, where: string) =>
    `(select count(*)::int from ${table} r where r.user_id = $1 and ${where})`;
  const moves = Object.entries(movedTables).map(([kind, { table, where }]) => [kind, count(table, where)] as const);
  const stays = (["subscriptions", "invoices"] as const).map(
    (kind) => [kind, count(kind === "invoices" ? "tax_invoices" : kind, "$2::uuid is not null")] as const,
  );
  const counts = await queryRow<Record<string, number>>(
    em,
    `select ${[...moves, ...stays].map(([kind, sql]) => `${sql} as "${kind}"`).join(", ")}`,
    [merged.id, kept.id],
  );
  const toRows = (kinds: readonly (readonly [string, string])[]) =>
    kinds.map(([kind]) => ({ kind: kind as MergedKind, rows: counts[kind] ?? 0 })).filter(({ rows }) => rows > 0);
  const refusal = await findMergeRefusal(em, kept, merged);
  return { merged, moves: toRows(moves), stays: toRows(stays), refusal };
}

const MergeTarget = createInput("MergeTarget", mergeTargetRules, {
  description: "How to find the account to merge.",
  fields: { email: "Its current email address." },
});

@Resolver(() => AccountMerge)
export class MergeResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @Query(() => MergePreview, { description: "Returns what merging another account into a user's would do." })
  mergePreview(
    @Arg("keptId", () => ID, { description: "The user whose account goes on." }) keptId: string,
    @CheckedArg("target", MergeTarget) target: InferType<typeof mergeTargetRules>,
    @Ctx() context: Context,
  ): Promise<MergePreview> {
    return previewMerge(context, keptId, target.email);
  }

  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @Query(() => [AccountMerge], {
    description: "Returns the merges of a user's account that weren't undone, into it or into another, newest first.",
  })
  async accountMerges(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<AccountMerge[]> {
    if (!isUuid(userId)) return [];
    return context.em.find(
      AccountMerge,
      { $or: [{ kept: userId }, { merged: userId }], undoneAt: null },
      { orderBy: { mergedAt: "desc", id: "desc" } },
    );
  }

  @Allow("admin", { roles: ["support"], harm: "destroy" })
  @Mutation(() => AccountMerge, {
    description: `Merges an account into another one of the same customer: moves its licences, contacts, comments and blocked machines, and closes it. \`undoMerge\` undoes it for ${UNDO_DAYS} days.`,
  })
  mergeAccounts(
    @Arg("keptId", () => ID, { description: "The user whose account goes on." }) keptId: string,
    @Arg("mergedId", () => ID, { description: "The user whose account ends." }) mergedId: string,
    @Ctx() context: Context,
  ): Promise<AccountMerge> {
    return mergeAccounts(context, keptId, mergedId);
  }

  @Allow("admin", { roles: ["support"], harm: "destroy" })
  @Mutation(() => AccountMerge, {
    description:
      "Undoes a merge: what it moved goes back, and the account opens again. Returns `CONFLICT` with the reason if it can't be undone.",
  })
  undoMerge(
    @Arg("id", () => ID, { description: "The merge." }) id: string,
    @Ctx() context: Context,
  ): Promise<AccountMerge> {
    return undoMerge(context, id);
  }

  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => Date, { description: "Until when the merge can be undone, in UTC." })
  undoUntil(@Root() { mergedAt }: AccountMerge): Date {
    return addMilliseconds(mergedAt, UNDO_DAYS * DAY);
  }

  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => [MergedRows], { description: "What moved." })
  moved(@Root() { moved }: AccountMerge): MergedRows[] {
    return mergedKinds
      .map(({ value }) => ({ kind: value, rows: moved[value]?.length ?? 0 }))
      .filter(({ rows }) => rows > 0);
  }
}
