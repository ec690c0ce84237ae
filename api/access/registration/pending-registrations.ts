import { type EntityManager, query } from "#api/platform/database/database.ts";

const LOCK_SEED = 7_426_004;

/**
 * Deletes an earlier unconfirmed registration under an `email` (lower case) that already belongs to an account, so that
 * no address ever has more than one. Locks the address until the transaction of `em` ends. Call it before locking any
 * row.
 *
 * An unconfirmed account that claimed the address keeps its link and its password but gets a new handle. Otherwise the
 * older handle would keep working only if the address had no account, which would reveal whether it has one.
 * @param exceptId the registration that moves to the address.
 */
export async function replacePendingRegistration(em: EntityManager, email: string, exceptId?: string): Promise<void> {
  const waiting = `lower(email) = $1 and sign_in_email is null and email_confirmed_at is null and archived_at is null
    and id is distinct from $2::uuid`;
  const values = [email, exceptId ?? null];
  await query(em, "select pg_advisory_xact_lock(hashtextextended($1, $2))", [email, LOCK_SEED]);
  await query(
    em,
    `delete from users u where ${waiting}
        and not exists (select from licences l where l.user_id = u.id)
        and not exists (select from tax_invoices i where i.user_id = u.id)
        and not exists (select from promo_redemptions p where p.user_id = u.id)`,
    values,
  );
  // Archive a registration with a licence, an invoice or a used promo code instead.
  await query(em, `update users set archived_at = now() where ${waiting}`, values);
  await query(
    em,
    `update users set confirmation_handle = gen_random_uuid()
      where sign_in_email = $1 and email_confirmed_at is null and id is distinct from $2::uuid`,
    values,
  );
}
