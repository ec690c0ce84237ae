import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";

/** The account with an address, or the erasure that already removed it. */
export type ErasureTarget = { readonly userId: string } | { readonly userId: string; readonly erasureId: string };

/**
 * Finds the account or erasure of an email address: first the account that signs in with it, then an erasure of that
 * address, then the newest unconfirmed registration. Returns null if there is none.
 */
export async function findErasureTarget({ em }: Context, email: string): Promise<ErasureTarget | null> {
  const [account] = await query<{ userId: string }>(
    em,
    `select id as "userId" from users where sign_in_email = lower($1)`,
    [email.trim()],
  );
  if (account) return account;
  const [erasure] = await query<{ userId: string; erasureId: string }>(
    em,
    `select user_id as "userId", id as "erasureId" from erasures where email_hash = hash_of_email($1)
      order by (state = 'running') desc, requested_at desc limit 1`,
    [email.trim()],
  );
  if (erasure) return erasure;
  const [unclaimed] = await query<{ userId: string }>(
    em,
    `select id as "userId" from users where lower(email) = lower($1) and sign_in_email is null and deleted_at is null
      order by registered_at desc limit 1`,
    [email.trim()],
  );
  return unclaimed ?? null;
}

/** Returns counts of the rows that an erasure would cover, without personal data. */
export async function previewErasure({ em }: Context, found: ErasureTarget) {
  const [counts] = await query<{ state: string; licences: number; licenceEvents: number; taxInvoices: number }>(
    em,
    `select case when u.deleted_at is not null then 'erased or being erased'
                 when u.archived_at is not null then 'archived' else 'active' end as state,
            (select count(*)::int from licences l where l.user_id = u.id) as licences,
            (select count(*)::int from licence_events e where e.licence_id in (
              select id from licences l where l.user_id = u.id)) as "licenceEvents",
            (select count(*)::int from tax_invoices i where i.user_id = u.id) as "taxInvoices"
       from users u where u.id = $1`,
    [found.userId],
  );
  const { state = "unknown", licences = 0, licenceEvents = 0, taxInvoices = 0 } = counts ?? {};
  return { userId: found.userId, state, licences, licenceEvents, taxInvoices };
}
