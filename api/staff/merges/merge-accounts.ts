import { LockMode } from "@mikro-orm/core";
import type { MergedKind } from "#schema/account-merge.ts";
import type { Context } from "#api/platform/context.ts";
import {
  type EntityManager,
  getRow,
  inTransaction,
  lockRow,
  query,
  queryRow,
} from "#api/platform/database/database.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { aboutUser, changeWebhooks, recordChange } from "#api/audit/change-log/record-change.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { accountsMerged } from "#api/messaging/emails/templates/accounts-merged.tsx";
import { accountsSeparated } from "#api/messaging/emails/templates/accounts-separated.tsx";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { hasStartedTrial } from "#api/licensing/trials/trial-claims.ts";
import { AccountMerge, type MovedRows } from "#api/people/merges/account-merge.entity.ts";
import { requireStillAllowed } from "#api/people/users/last-admin.ts";
import { User } from "#api/people/users/user.entity.ts";
import { closeArchived, reopenArchived } from "#api/staff/users/archive-user.ts";
import { findMergeRefusal, findUndoRefusal } from "./merge-refusals.ts";

/** SQL condition for the rows of an account `$1` that a merge into `$2` moves, by the table's alias `r`. */
export const movedTables = {
  licences: { table: "licences", where: "not exists (select from subscriptions s where s.licence_id = r.id)" },
  contacts: { table: "contacts", where: "true" },
  comments: { table: "comments", where: "true" },
  blockedMachines: {
    table: "blocked_machines",
    where: `not exists (select from blocked_machines k where k.user_id = $2 and k.compared_name = r.compared_name)`,
  },
} as const satisfies Partial<Record<MergedKind, { table: string; where: string }>>;

/**
 * Merges an account of a customer into another: moves licences, contacts, comments and blocked machines, and closes the
 * merged account as archiving does. Invoices and ended subscriptions stay, because they say who paid. Emails both
 * addresses. Locks the licences of both accounts, then the accounts, each in the order of their ids.
 * @throws AppError NOT_FOUND; CONFLICT with the reason if the accounts can't be merged, see `findMergeRefusal`; FORBIDDEN if the
 * caller was archived or demoted in the meantime
 */
export async function mergeAccounts(context: Context, keptId: string, mergedId: string): Promise<AccountMerge> {
  return inTransaction(context, async (em) => {
    const { kept, merged } = await lockAccounts(em, keptId, mergedId);
    await requireStillAllowed(context, em, false);
    const refusal = await findMergeRefusal(em, kept, merged);
    if (refusal) throw conflict(refusal);
    const moved = await moveRows(em, merged.id, kept.id);
    countReceivedMachines(kept, moved);
    const tookTrial = merged.hasCompletedTrial && !kept.hasCompletedTrial;
    if (tookTrial) kept.hasCompletedTrial = true;
    const suspended = await closeArchived(context, em, merged);
    const merge = em.create(AccountMerge, {
      kept,
      merged,
      moved,
      tookTrial,
      mergedById: context.actor?.userId ?? null,
      mergedAt: await readTime(em),
    });
    await em.flush();
    const licences = await findLicences(em, moved);
    const codes = licences.map(({ supportCode }) => supportCode);
    await recordMerge(context, em, "merge-account", merged, {
      before: { isActive: true, mergedInto: null, movedLicences: [], suspendedLicences: [] },
      after: { isActive: false, mergedInto: kept.id, movedLicences: codes, suspendedLicences: suspended },
    });
    await recordMerge(context, em, "take-over-account", kept, {
      before: { mergedAccount: null, movedLicences: [] },
      after: { mergedAccount: merged.id, movedLicences: codes },
    });
    await recordLicenceWebhooks(context, em, "licence.changed", licences);
    await announceMove(context, em, { from: merged, to: kept, kept, moved, movedTrial: tookTrial });
    await emailBoth(context, em, accountsMerged, { kept, merged, licences: licences.length });
    await em.flush();
    return merge;
  });
}

/**
 * Undoes a merge: what it moved goes back, as far as it still exists, and the merged account can sign in again. What was
 * added to the kept account since stays there, and so does a trial that it has had itself. Emails both addresses.
 * @throws AppError NOT_FOUND; CONFLICT with the reason if it can't be undone, see `findUndoRefusal`; FORBIDDEN as
 * {@link mergeAccounts} does
 */
export async function undoMerge(context: Context, id: string): Promise<AccountMerge> {
  return inTransaction(context, async (em) => {
    const known = await getRow(em, AccountMerge, id);
    const { kept, merged } = await lockAccounts(em, known.kept.id, known.merged.id);
    await requireStillAllowed(context, em, false);
    const merge = await lockRow(em, AccountMerge, id, { refresh: true });
    const refusal = await findUndoRefusal(em, merge);
    if (refusal) throw conflict(refusal);
    await moveBack(em, merge);
    countReceivedMachines(merged, merge.moved);
    const returnsTrial = merge.tookTrial && !(await hasStartedTrial(em, kept.id));
    if (returnsTrial) kept.hasCompletedTrial = false;
    merge.undoneAt = await readTime(em);
    const reinstated = await reopenArchived(context, em, merged);
    await em.flush();
    const licences = await findLicences(em, merge.moved);
    const codes = licences.map(({ supportCode }) => supportCode);
    await recordMerge(context, em, "undo-merge", merged, {
      before: { isActive: false, mergedInto: kept.id, movedLicences: [], reinstatedLicences: [] },
      after: { isActive: true, mergedInto: null, movedLicences: codes, reinstatedLicences: reinstated },
    });
    await recordMerge(context, em, "give-back-account", kept, {
      before: { mergedAccount: merged.id, movedLicences: [] },
      after: { mergedAccount: null, movedLicences: codes },
    });
    await recordLicenceWebhooks(context, em, "licence.changed", licences);
    await announceMove(context, em, { from: kept, to: merged, kept, moved: merge.moved, movedTrial: returnsTrial });
    await emailBoth(context, em, accountsSeparated, { kept, merged, licences: licences.length });
    await em.flush();
    return merge;
  });
}

/**
 * Records webhook events for what a merge or its undo moved, besides its licences, in the transaction of `em`. The merged
 * account has events of its own.
 */
async function announceMove(
  context: Context,
  em: EntityManager,
  given: { from: User; to: User; kept: User; moved: MovedRows; movedTrial: boolean },
): Promise<void> {
  const { from, to, kept, moved, movedTrial } = given;
  const contacts = await query<{ id: string }>(
    em,
    "select id from contacts where id = any($1) and user_id = $2 order by id",
    [moved.contacts ?? [], to.id],
  );
  const fields = [
    ...(["licences", "blockedMachines"] as const).filter((kind) => (moved[kind] ?? []).length > 0),
    ...(movedTrial ? ["hasCompletedTrial"] : []),
  ];
  await changeWebhooks.get()(context, em, [
    ...contacts.flatMap(({ id: contactId }) => [
      { kind: "contact.deleted" as const, userId: from.id, contactId },
      { kind: "contact.created" as const, userId: to.id, contactId },
    ]),
    ...(fields.length > 0 ? [{ kind: "user.changed" as const, userId: kept.id, fields }] : []),
  ]);
}

/** Emails both addresses what happened to their accounts. @param licences number of licences that moved */
async function emailBoth(
  context: Context,
  em: EntityManager,
  template: typeof accountsMerged,
  { kept, merged, licences }: { kept: User; merged: User; licences: number },
): Promise<void> {
  for (const { email: to, firstName } of [kept, merged]) {
    const data = { firstName, keptEmail: kept.email, mergedEmail: merged.email, licences };
    await sendEmail(context, em, { template, to, data });
  }
}

/** Returns the time of the transaction, by the clock of the database. */
async function readTime(em: EntityManager): Promise<Date> {
  const { now } = await queryRow<{ now: string }>(em, "select now()::text as now", []);
  return new Date(now);
}

/** Locks the licences of two accounts, then the accounts. */
async function lockAccounts(
  em: EntityManager,
  keptId: string,
  mergedId: string,
): Promise<{ kept: User; merged: User }> {
  if (!isUuid(keptId) || !isUuid(mergedId)) throw notFound();
  const ids = [keptId.toLowerCase(), mergedId.toLowerCase()];
  await query(em, "select id from licences where user_id = any($1) order by id for update", [ids]);
  const users = await em.find(
    User,
    { id: { $in: ids } },
    { orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const [kept, merged] = ids.map((id) => users.find((user) => user.id === id));
  if (!kept || !merged) throw notFound();
  return { kept, merged };
}

async function moveRows(em: EntityManager, from: string, to: string): Promise<MovedRows> {
  const moved: Partial<Record<MergedKind, string[]>> = {};
  for (const [kind, { table, where }] of Object.entries(movedTables)) {
    const rows = await query<{ id: string }>(
      em,
      `update ${table} r set user_id = $2 where r.user_id = $1 and ${where} returning r.id`,
      [from, to],
    );
    moved[kind as MergedKind] = rows.map(({ id }) => id);
  }
  return moved;
}

/** Makes open forms of an account that received blocked machines out of date. They would unblock these machines. */
function countReceivedMachines(user: User, { blockedMachines = [] }: MovedRows): void {
  if (blockedMachines.length > 0) user.revision += 1;
}

async function moveBack(em: EntityManager, { kept, merged, moved }: AccountMerge): Promise<void> {
  // Staff may have blocked the same machine for the merged account since. An account has each name once.
  await query(
    em,
    `delete from blocked_machines k using blocked_machines r
      where k.user_id = $1 and r.user_id = $2 and r.id = any($3) and r.compared_name = k.compared_name`,
    [merged.id, kept.id, moved.blockedMachines ?? []],
  );
  for (const [kind, { table }] of Object.entries(movedTables))
    await query(em, `update ${table} set user_id = $1 where user_id = $2 and id = any($3)`, [
      merged.id,
      kept.id,
      moved[kind as MergedKind] ?? [],
    ]);
}

const findLicences = (em: EntityManager, { licences = [] }: MovedRows) =>
  em.find(Licence, { id: { $in: [...licences] } }, { orderBy: { id: "asc" }, refresh: true });

const recordMerge = (
  context: Context,
  em: EntityManager,
  action: AuditAction,
  user: User,
  values: { before: AuditedValues; after: AuditedValues },
) => recordChange(context, em, { action, ...aboutUser(user), ...values });
