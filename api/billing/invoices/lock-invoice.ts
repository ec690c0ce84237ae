import { LockMode } from "@mikro-orm/core";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";

/**
 * Locks a customer with their licences, in the order of decision 0029; requires a transaction. All changes to the
 * customer's invoices, payments and credit wait for it.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function lockCustomer(em: EntityManager, userId: string): Promise<User> {
  if (!isUuid(userId)) throw notFound();
  await lockUserLicences(em, userId);
  const user = await em.findOne(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!user) throw notFound();
  return user;
}

/**
 * Locks an invoice and its customer, as {@link lockCustomer} does, and loads its documents.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function lockInvoice(em: EntityManager, id: string): Promise<{ invoice: ManualInvoice; user: User }> {
  const [found] = isUuid(id)
    ? await query<{ userId: string }>(em, `select user_id as "userId" from manual_invoices where id = $1`, [id])
    : [];
  if (!found) throw notFound();
  const user = await lockCustomer(em, found.userId);
  const invoice = await em.findOne(ManualInvoice, id, { refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE });
  // A draft may have been discarded in the meantime.
  if (!invoice) throw notFound();
  await em.populate(invoice, ["taxInvoice", "voidNote"]);
  return { invoice, user };
}
