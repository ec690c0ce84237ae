import { UNDO_DAYS } from "#schema/account-merge.ts";
import { MAX_BLOCKED_MACHINES, MemberType } from "#schema/user.ts";
import { type EntityManager, queryRow } from "#api/platform/database/database.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";
import type { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Returns why an account can't be merged into another, in words for staff, or null if it can. */
export async function findMergeRefusal(em: EntityManager, kept: User, merged: User): Promise<string | null> {
  if (kept.id === merged.id) return "This is the same account. Choose the customer's other account.";
  return (
    findAccountRefusal(kept, merged) ??
    (await findMachineRefusal(em, kept, merged)) ??
    findMoneyRefusal(em, kept, merged)
  );
}

function findAccountRefusal(kept: User, merged: User): string | null {
  for (const { memberType, deletedAt, archivedAt, emailConfirmedAt, email } of [kept, merged]) {
    if (memberType === MemberType.Admin) return "The account of an admin can't be merged.";
    if (deletedAt) return "A deleted account can't be merged.";
    if (archivedAt)
      return `The account of ${email} is archived or merged already. Restore it first, or undo its merge.`;
    if (!emailConfirmedAt) return `The address ${email} isn't confirmed, so the account may be a stranger's.`;
  }
  if (kept.memberType !== merged.memberType)
    return "One account is regular, the other corporate. Change the user type of one of them first.";
  return null;
}

/** Update User saves no longer list than the limit, so an account with more could not be edited. */
async function findMachineRefusal(em: EntityManager, kept: User, merged: User): Promise<string | null> {
  const { machines } = await queryRow<{ machines: number }>(
    em,
    "select count(distinct compared_name)::int as machines from blocked_machines where user_id = any($1)",
    [[kept.id, merged.id]],
  );
  if (machines <= MAX_BLOCKED_MACHINES) return null;
  return `Together, the accounts block ${machines} machines, and one account can block ${MAX_BLOCKED_MACHINES}. Unblock some first.`;
}

interface OpenMoney {
  isSubscribed: boolean;
  keptIsSubscribed: boolean;
  hasPayment: boolean;
  hasInvoice: boolean;
  hasRefund: boolean;
  creditCents: number;
}

async function findMoneyRefusal(em: EntityManager, kept: User, merged: User): Promise<string | null> {
  const subscribed = (user: string) =>
    `exists (select from subscriptions s where s.user_id = ${user}
      and (${isRunningSql} or s.cancellation_pending_since is not null or s.disputed_at is not null))`;
  const open = await queryRow<OpenMoney>(
    em,
    `select ${subscribed("$1")} as "isSubscribed", ${subscribed("$2")} as "keptIsSubscribed",
            exists (select from checkouts where user_id = $1 and state in ('open', 'needs_authentication')
              union all select from card_payments where user_id = $1 and state in ('pending', 'needs_authentication')) as "hasPayment",
            exists (select from manual_invoices where user_id = $1 and status in ('draft', 'open')) as "hasInvoice",
            exists (select from refunds where user_id = $1 and status = 'PENDING') as "hasRefund",
            (select coalesce(sum(amount_cents), 0)::int from credit_entries where user_id = $1) as "creditCents"`,
    [merged.id, kept.id],
  );
  if (open.isSubscribed && open.keptIsSubscribed)
    return "Both accounts have a subscription. End one of them first, and refund it if that is due.";
  if (open.isSubscribed)
    return `The account of ${merged.email} has a subscription. Keep that account and merge this one into it.`;
  if (open.hasPayment) return `A payment of ${merged.email} isn't complete yet. Try again in an hour.`;
  if (open.hasInvoice)
    return `The account of ${merged.email} has an open or draft invoice. Settle, void or discard it first.`;
  if (open.hasRefund) return `A refund to ${merged.email} is in progress. Try again in a minute.`;
  if (open.creditCents) return `The account of ${merged.email} has credit. Use it or pay it back first.`;
  return null;
}

/** Returns why a merge can't be undone, in words for staff, or null if it can. */
export async function findUndoRefusal(em: EntityManager, merge: AccountMerge): Promise<string | null> {
  const { kept, merged, undoneAt, moved } = merge;
  if (undoneAt) return "This merge has been undone already.";
  if (kept.deletedAt || merged.deletedAt) return "One of the accounts was erased, so the merge can't be undone.";
  if (kept.archivedAt) return "The kept account is archived or merged. Restore it first, or undo its merge.";
  const found = await queryRow<{ isOver: boolean; lost: number; subscribed: string | null; invoiced: string | null }>(
    em,
    `select (select now() > merged_at + interval '${UNDO_DAYS} days' from account_merges where id = $1) as "isOver",
            (select count(*)::int from licences where id = any($2) and user_id <> $3) as lost,
            (select min(l.support_code) from subscriptions s join licences l on l.id = s.licence_id
              where l.id = any($2)) as subscribed,
            (select min(l.support_code) from manual_invoices i
               join licences l on l.id = coalesce(i.licence_id, (i.licence_terms->>'licenceId')::uuid)
              where l.id = any($2) and i.user_id = $3 and i.status <> 'void') as invoiced`,
    [merge.id, moved.licences ?? [], kept.id],
  );
  if (found.isOver) return `A merge can be undone for ${UNDO_DAYS} days. This one is older.`;
  if (found.lost) return "A licence that the merge moved belongs to another account now.";
  if (found.subscribed) return `A subscription of the kept account pays for the licence ${found.subscribed}.`;
  if (found.invoiced)
    return `An invoice of the kept account is for the licence ${found.invoiced}. Void or discard it first.`;
  return null;
}
