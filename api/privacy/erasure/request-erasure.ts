import { brand } from "#schema/brand.ts";
import { cleanEmail } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query, queryRow } from "#api/platform/database/database.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { isStillOwner, assertNotLastAdmin } from "#api/people/users/last-admin.ts";
import { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import { listEmailSpellings } from "#api/people/users/email-spellings.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { closeAccount } from "./close-account.ts";
import type { ErasureRequester } from "#schema/erasure.ts";
import { Erasure } from "./erasure.entity.ts";
import { ERASED, type ErasureSubject, type BatchResult } from "#api/platform/database/personal-data.ts";
import { erasureParts } from "#api/privacy/personal-data.ts";

/** A row limit that no part reaches, for the parts that run when the account is closed. */
const ALL_ROWS = 2_147_483_647;

/**
 * Closes a user's account permanently and queues the erasure of all personal data. Access ends immediately: the user is
 * signed out everywhere and can't sign in, tokens stop working, and licences and subscriptions end. The address can be
 * registered again. Accounts that were merged into this one are erased, too. A second request returns the same erasure.
 * @throws AppError NOT_FOUND; CONFLICT for the admin's own account and for the last active admin; FORBIDDEN if the
 * admin was archived or demoted in the meantime.
 */
export async function requestErasure(
  context: Context,
  userId: string,
  requestedBy: ErasureRequester,
): Promise<Erasure> {
  if (!isUuid(userId)) throw notFound();
  if (requestedBy === "staff" && context.actor?.userId === userId.toLowerCase())
    throw conflict("You can't erase your own account. Contact another admin.");
  const passwordHash = await hashUnusablePassword();
  return inTransaction(context, async (em) => {
    await lockUserLicences(em, userId);
    await assertNotLastAdmin(em, userId);
    const user = await lockRow(em, User, userId);
    const actorId = context.actor?.userId;
    if (requestedBy === "staff" && !(actorId && (await isStillOwner(em, actorId)))) throw new AppError("FORBIDDEN");
    const known = await em.findOne(Erasure, { user: user.id });
    if (known) return known;
    const erasure = await openErasure(context, em, user, requestedBy);
    await eraseSecrets(context, em, erasure);
    if (!user.deletedAt) await closeAccount(context, em, user, passwordHash);
    // Without the name, which the erasure would remove again. `audit verify` demands the entry.
    await recordChange(context, em, {
      action: "erase-user",
      subject: { type: "user", id: user.id, name: ERASED },
      userId: user.id,
    });
    await context.jobs.add(em, "erase-user", { erasureId: erasure.id });
    await em.flush();
    // An account that was merged into this one belongs to the same customer.
    for (const { merged } of await em.find(AccountMerge, { kept: user.id, undoneAt: null }))
      await requestErasure({ ...context, em }, merged.id, requestedBy);
    return erasure;
  });
}

async function openErasure(
  context: Context,
  em: EntityManager,
  user: User,
  requestedBy: ErasureRequester,
): Promise<Erasure> {
  const subject = await loadSubject(em, user);
  const { hash, now } = await queryRow<{ hash: string; now: string }>(
    em,
    "select hash_of_email($1) as hash, clock_timestamp()::text as now",
    [user.email],
  );
  const erasure = em.create(Erasure, {
    user,
    requestedBy,
    requestedById: requestedBy === "staff" ? (context.actor?.userId ?? null) : null,
    requestedAt: user.deletedAt ?? context.clock.now(),
    emailHash: user.deletedAt ? null : hash,
    subject,
    workedAt: new Date(now),
  });
  await em.flush();
  return erasure;
}

/** Reads the data that the parts need before the profile is anonymised. */
async function loadSubject(em: EntityManager, user: User): Promise<ErasureSubject> {
  const addresses = user.deletedAt ? [] : await ownAddresses(em, user);
  const links = await query<{ address: string; at: string }>(
    em,
    `select lower(email) as address, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from email_tokens where user_id = $1`,
    [user.id],
  );
  const { number } = await queryRow<{ number: string }>(
    em,
    "select coalesce(max(number), 0)::text as number from mails",
    [],
  );
  return {
    addresses,
    links: links.filter(({ address }) => !addresses.includes(address)),
    mailsUpTo: number,
    mailTo: addresses.includes(user.email.toLowerCase()) ? user.email : null,
    firstName: user.firstName,
    timeZone: user.timeZone,
  };
}

/**
 * Returns the user's own email addresses: the current one, earlier ones that received a reset link, and those in the
 * audit log. Leaves out the sign-in addresses of other accounts and our own mailboxes, because emails to them also
 * concern other people.
 */
async function ownAddresses(em: EntityManager, user: User): Promise<string[]> {
  const rows = await query<{ address: string }>(
    em,
    `select distinct lower(address) as address from (
       select unnest($2::text[]) as address
       union all select old_email from email_changes where user_id = $1
       union all select email from email_tokens where user_id = $1 and purpose = 'reset-password'
       union all select before->>'email' from audit_entries where user_id = $1 and action = 'update-user'
     ) a where address <> ''
       and not exists (select from users u where u.sign_in_email = lower(a.address) and u.id <> $1)`,
    [user.id, listEmailSpellings(user.email)],
  );
  const mailboxes = new Set(Object.values(brand.mailboxes).map(({ email }) => email.toLowerCase()));
  return rows.map(({ address }) => address).filter((address) => !mailboxes.has(address));
}

/** Runs the parts that delete credentials. */
async function eraseSecrets(context: Context, em: EntityManager, erasure: Erasure): Promise<void> {
  const { subject, requestedAt } = erasure;
  if (!subject) return;
  const progress: Record<string, BatchResult> = {};
  for (const part of erasureParts.filter(({ atClosing }) => atClosing))
    progress[part.name] = await part.run({
      context,
      em,
      userId: erasure.user.id,
      requestedAt,
      subject,
      limit: ALL_ROWS,
      cursor: undefined,
    });
  erasure.progress = progress;
}

/** The account with an address, or the erasure that already removed it. */
type ErasureTarget = { readonly userId: string } | { readonly userId: string; readonly erasureId: string };

/**
 * Finds the account or erasure of an email address: first the account that signs in with it, then an erasure of that
 * address, then the newest unconfirmed registration. Returns null if there is none.
 */
export async function findErasureTarget({ em }: Context, email: string): Promise<ErasureTarget | null> {
  const address = cleanEmail(email);
  const [account] = await query<{ userId: string }>(em, `select id as "userId" from users where sign_in_email = $1`, [
    address.toLowerCase(),
  ]);
  if (account) return account;
  const [erasure] = await query<{ userId: string; erasureId: string }>(
    em,
    `select user_id as "userId", id as "erasureId" from erasures
      where email_hash in (select hash_of_email(spelling) from unnest($1::text[]) spelling)
      order by (state = 'running') desc, requested_at desc limit 1`,
    [listEmailSpellings(address)],
  );
  if (erasure) return erasure;
  const [unclaimed] = await query<{ userId: string }>(
    em,
    `select id as "userId" from users where lower(email) = lower($1) and sign_in_email is null and deleted_at is null
      order by registered_at desc limit 1`,
    [address],
  );
  return unclaimed ?? null;
}

/** SQL of a part `accounts`: the account `$1`, and those that were merged into it, directly or into one of them. */
const accountsSql = `with recursive accounts (id) as (
  select $1::uuid
  union select m.merged_id from account_merges m join accounts a on a.id = m.kept_id where m.undone_at is null)`;

/** Returns the ids of the erasures of accounts that were merged into a user's, which {@link requestErasure} also requests. */
export async function listMergedErasures(em: EntityManager, userId: string): Promise<string[]> {
  const erasures = await query<{ id: string }>(
    em,
    `${accountsSql}
     select e.id from erasures e join accounts a on a.id = e.user_id where a.id <> $1 order by e.requested_at, e.id`,
    [userId],
  );
  return erasures.map(({ id }) => id);
}

interface ErasureCounts {
  state: string;
  mergedAccounts: number;
  licences: number;
  licenceEvents: number;
  taxInvoices: number;
}

/** Returns counts of the rows that an erasure would cover, with those of merged accounts, without personal data. */
export async function previewErasure({ em }: Context, found: ErasureTarget) {
  const [counts] = await query<ErasureCounts>(
    em,
    `${accountsSql}
     select case when u.deleted_at is not null then 'erased or being erased'
                 when u.archived_at is not null then 'archived' else 'active' end as state,
            (select count(*)::int - 1 from accounts) as "mergedAccounts",
            (select count(*)::int from licences l join accounts a on a.id = l.user_id) as licences,
            (select count(*)::int from licence_events e where e.licence_id in (
              select l.id from licences l join accounts a on a.id = l.user_id)) as "licenceEvents",
            (select count(*)::int from tax_invoices i join accounts a on a.id = i.user_id) as "taxInvoices"
       from users u where u.id = $1`,
    [found.userId],
  );
  const { state = "unknown", mergedAccounts = 0, licences = 0, licenceEvents = 0, taxInvoices = 0 } = counts ?? {};
  return { userId: found.userId, state, mergedAccounts, licences, licenceEvents, taxInvoices };
}
