import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import type { MergedKind } from "#schema/account-merge.ts";
import { kept, Flag, Json, Moment, Reference, RowId, SqlIndex, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";

/** Ids of the rows that a merge moved, by their kind. */
export type MovedRows = Readonly<Partial<Record<MergedKind, readonly string[]>>>;

const accounts = { kept: "Says which accounts were one customer's, without a name." };

/** The merge of one account of a customer into another (decision 0230). */
@VisibleTo("admin")
@ObjectType({ description: "The merge of an account of a customer into another one." })
@Entity({ tableName: "account_merges" })
@SqlIndex(
  "create unique index account_merges_one_a_merged_account on account_merges (merged_id) where undone_at is null",
)
export class AccountMerge {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The account that goes on. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", personal: accounts })
  kept!: User;

  /** The account that ended. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", personal: accounts })
  merged!: User;

  @Json({ personal: "none" })
  moved!: MovedRows;

  /** Whether the kept account has used its trial only because the merged account had. */
  @Flag()
  tookTrial!: boolean;

  @Uuid({ nullable: true, personal: kept.staffLog })
  mergedById: string | null = null;

  @Moment("When the accounts were merged, in UTC, by the clock of the database.")
  mergedAt!: Date;

  @Moment({ nullable: true })
  undoneAt: Date | null = null;
}

/**
 * SQL for the email address of the account that an account was merged into, or null. If that one was merged too, it is the
 * address of the last, because nobody can sign in to the others.
 */
export const keptEmailSql = (userId: string): string => `(
  with recursive kept as (
    select kept_id from account_merges where merged_id = ${userId} and undone_at is null
    union select m.kept_id from account_merges m join kept k on m.merged_id = k.kept_id where m.undone_at is null
  )
  select u.email from kept k join users u on u.id = k.kept_id
   where u.deleted_at is null
     and not exists (select from account_merges m where m.merged_id = k.kept_id and m.undone_at is null))`;

/** Returns {@link keptEmailSql} of a user. */
export async function findKeptEmail(em: EntityManager, userId: string): Promise<string | null> {
  const [found] = await query<{ email: string | null }>(em, `select ${keptEmailSql("$1")} as email`, [userId]);
  return found?.email ?? null;
}
