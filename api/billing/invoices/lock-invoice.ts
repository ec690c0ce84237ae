import { LockMode } from "@mikro-orm/core";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type EntityManager, lockRow, query } from "#api/platform/database/database.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";
import { formatAud } from "#schema/money.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { RecordedChange } from "#api/audit/change-log/record-change.ts";
import { MemberType } from "#schema/user.ts";

/**
 * Locks a customer with their licences, in the order of decision 0029; requires a transaction. All changes to the
 * customer's invoices, payments and credit wait for it.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function lockCustomer(em: EntityManager, userId: string): Promise<User> {
  if (!isUuid(userId)) throw notFound();
  await lockUserLicences(em, userId);
  return lockRow(em, User, userId, { refresh: true });
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

/** Returns the audited values of an invoice. */
export function toAuditedInvoice(invoice: ManualInvoice): AuditedValues {
  return {
    status: invoice.status,
    lines: invoice.lines.map(({ description, quantity, unitCents, firstDay, lastDay }) => {
      const days = firstDay && lastDay ? `, ${firstDay} to ${lastDay}` : "";
      return `${quantity} × ${description}, ${formatAud(unitCents)}${days}`;
    }),
    gst: formatAud(invoice.gstCents),
    total: formatAud(invoice.totalCents),
    goodwill: formatAud(invoice.goodwillCents),
    credit: formatAud(invoice.creditCents),
    paid: formatAud(invoice.paidCents),
    dueAt: invoice.dueAt?.toISOString() ?? null,
    purchaseOrder: invoice.purchaseOrder,
    licenceUntil: invoice.licenceTerms?.until ?? null,
    revision: invoice.revision,
  };
}

/** Returns the subject of an audit entry about an invoice: its number, or that it is a draft. */
export function getAuditSubject({ id, taxInvoice }: ManualInvoice): RecordedChange["subject"] {
  return { type: "invoice", id, name: taxInvoice?.number ?? "Draft" };
}

/**
 * Checks that a customer can get an invoice.
 * @throws AppError CONFLICT for an admin and for an archived or deleted account.
 */
export function assertCanBeInvoiced(user: User): void {
  if (user.memberType === MemberType.Admin) throw conflict("Admins can't have invoices. Choose a customer.");
  if (user.deletedAt) throw conflict("This account has been deleted, so it can't get invoices.");
  assertNotArchived(user);
}
