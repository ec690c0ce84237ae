import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { mergedKinds, mergeTargetRules, UNDO_DAYS } from "#schema/account-merge.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { isUuid } from "#api/platform/validate.ts";
import { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { mergeAccounts, undoMerge } from "./merge-accounts.ts";
import { previewMerge, MergedRows, MergePreview } from "./merge-preview.ts";

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
  @FieldResolver(() => User, { description: "The account that goes on." })
  async kept(@Root() { kept }: AccountMerge, @Ctx() context: Context): Promise<User> {
    return (await loadUserById(context, kept.id)) ?? kept;
  }

  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => User, { description: "The account that ended." })
  async merged(@Root() { merged }: AccountMerge, @Ctx() context: Context): Promise<User> {
    return (await loadUserById(context, merged.id)) ?? merged;
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
