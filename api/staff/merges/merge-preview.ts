import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { type MergedKind, mergedKinds } from "#schema/account-merge.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { movedTables } from "./merge-accounts.ts";
import { findMergeRefusal } from "./merge-refusals.ts";

export const MergedRows = createType("MergedRows", VisibleTo("admin"), "The number of rows of one kind.", {
  kind: field.choice(mergedKinds),
  rows: field.integer("Number of rows."),
});
export type MergedRows = InstanceType<typeof MergedRows>;

export const MergePreview = createType("MergePreview", VisibleTo("admin"), "What merging two accounts would do.", {
  merged: field.object(() => User, "The account that would end.", { access: Scope("users:read") }),
  moves: field.list(() => MergedRows, "What would move, without kinds that have no rows.", {
    access: Scope("users:read"),
  }),
  stays: field.list(() => MergedRows, "What would stay with the account that ends.", { access: Scope("users:read") }),
  refusal: field.text("Why the accounts can't be merged. Null if they can.", { nullable: true }),
});
export type MergePreview = InstanceType<typeof MergePreview>;

/**
 * Returns what merging the account of an email address into another account would move and leave. Kinds without rows are
 * left out.
 * @throws AppError NOT_FOUND for an unknown user; BAD_USER_INPUT if no account has the address
 */
export async function previewMerge(context: Context, keptId: string, email: string): Promise<MergePreview> {
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
  const [counts] = await query<Record<string, number>>(
    em,
    `select ${[...moves, ...stays].map(([kind, sql]) => `${sql} as "${kind}"`).join(", ")}`,
    [merged.id, kept.id],
  );
  const toRows = (kinds: readonly (readonly [string, string])[]) =>
    kinds.map(([kind]) => ({ kind: kind as MergedKind, rows: counts?.[kind] ?? 0 })).filter(({ rows }) => rows > 0);
  const refusal = await findMergeRefusal(em, kept, merged);
  return { merged, moves: toRows(moves), stays: toRows(stays), refusal };
}
