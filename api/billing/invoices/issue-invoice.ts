import { addDays, getCalendarDay, getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { DUE_DAYS } from "#schema/manual-invoice.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { changeCredit, getCredit } from "#api/billing/credits/credits.ts";
import { getBillingContact, sendBillingEmails } from "#api/billing/billing-contacts/billing-contacts.ts";
import { invoiceIssued } from "#api/messaging/emails/templates/invoice-issued.tsx";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { attachInvoice } from "#api/billing/invoices/invoice-file.ts";
import type { InvoiceLine } from "#api/billing/invoices/tax-invoice.entity.ts";
import { issueTaxInvoice } from "#api/billing/invoices/issue-tax-invoice.ts";
import { getAuditSubject, toAuditedInvoice, lockInvoice, assertCanBeInvoiced } from "./lock-invoice.ts";
import { applyCredit, calculateAmounts, hasLicenceEnded, LICENCE_ENDED } from "./edit-invoices.ts";
import { getBalanceCents } from "./invoice-status.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";
import { settleInvoice } from "./settle-invoice.ts";

/**
 * Gives a draft its number, applies the customer's credit and emails the tax invoice. Credit that covers the total pays
 * it. A repeated call returns the invoice.
 * @param revision the revision that staff saw
 * @throws AppError NOT_FOUND; CONFLICT if the draft was changed since `revision`, if its licence would have ended already, or
 * for an archived or deleted account.
 */
export async function issueInvoice(context: Context, id: string, revision: number): Promise<ManualInvoice> {
  return inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, id);
    if (invoice.status !== "draft") return invoice;
    if (invoice.revision !== revision) throw conflict("This draft was changed in the meantime. Open it again.");
    await openInvoice(context, em, user, invoice);
    return invoice;
  });
}

/** Issues a draft as {@link issueInvoice} does, in the transaction of `em`, which must have the lock of `lockInvoice`. */
export async function openInvoice(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
): Promise<void> {
  assertCanBeInvoiced(user);
  const before = toAuditedInvoice(invoice);
  const now = context.clock.now();
  // The draft may have waited until then.
  if (hasLicenceEnded(invoice.licenceTerms, now)) throw conflict(LICENCE_ENDED);
  // The customer may have moved to another country since the draft.
  const amounts = calculateAmounts(invoice.lines, user.country);
  const { discountCents, ...reduced } = applyCredit(amounts, await getCredit(em, user.id));
  Object.assign(invoice, reduced);
  invoice.dueAt ??= getDefaultDueAt(now);
  // The customer may have named one since the draft.
  invoice.purchaseOrder ??= (await getBillingContact(em, user.id)).purchaseOrder || null;
  invoice.status = "open";
  invoice.openedAt = now;
  const { dueAt, purchaseOrder, goodwillCents, creditCents, totalCents, gstCents, gstBasisPoints } = invoice;
  invoice.taxInvoice = await issueTaxInvoice(context, em, {
    userId: user.id,
    manual: invoice,
    paidAt: creditCents === totalCents ? now : null,
    planPrice: null,
    description: describeLines(invoice),
    ...getWholePeriod(invoice),
    lines: toDocumentLines(invoice),
    discountCents,
    gstBasisPoints,
    gstCents,
    totalCents,
    terms: { dueAt, purchaseOrder, creditCents },
  });
  changeCredit(context, em, user, {
    kind: "applied",
    amountCents: 0 - goodwillCents - creditCents,
    goodwillCents: 0 - goodwillCents,
    reason: `Applied to invoice ${invoice.taxInvoice.number}`,
    invoice,
  });
  await recordChange(context, em, {
    action: "issue-invoice",
    subject: getAuditSubject(invoice),
    userId: user.id,
    before,
    after: toAuditedInvoice(invoice),
  });
  await em.flush();
  await emailIssuedInvoice(context, em, user, invoice);
  await settleInvoice(context, em, user, invoice, { paidAt: now });
}

/** Returns the end of the day, in the vendor's time zone, by which an invoice issued at `now` is due by default. */
export function getDefaultDueAt(now: Date): Date {
  return getEndOfDay(addDays(getCalendarDay(now), DUE_DAYS));
}

/** Returns the lines of an invoice as its documents show them. */
export function toDocumentLines({ lines }: ManualInvoice): InvoiceLine[] {
  return lines.map(({ description, quantity, unitCents, firstDay, lastDay }) => ({
    description,
    quantity,
    unitCents,
    amountCents: quantity * unitCents,
    period: firstDay && lastDay ? { firstDay, lastDay } : null,
  }));
}

/** Returns the time from the first to the last day of all service periods. */
function getWholePeriod({ lines }: ManualInvoice): { periodStart: Date | null; periodEnd: Date | null } {
  const first = lines.flatMap(({ firstDay }) => firstDay ?? []).toSorted()[0];
  const last = lines
    .flatMap(({ lastDay }) => lastDay ?? [])
    .toSorted()
    .at(-1);
  return { periodStart: first ? getStartOfDay(first) : null, periodEnd: last ? getStartOfDay(addDays(last, 1)) : null };
}

/** Returns the first line's description, and how many lines there are besides it. */
export function describeLines({ lines }: ManualInvoice): string {
  const [first] = lines;
  const others = lines.length - 1;
  return `${first?.description ?? ""}${others > 0 ? ` and ${others} more` : ""}`;
}

async function emailIssuedInvoice(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
): Promise<void> {
  const { taxInvoice, dueAt, purchaseOrder, totalCents } = invoice;
  if (!taxInvoice || !dueAt) return;
  await sendBillingEmails(context, em, user, {
    template: invoiceIssued,
    data: {
      firstName: user.firstName,
      number: taxInvoice.number,
      description: taxInvoice.description,
      totalCents,
      dueCents: getBalanceCents(invoice),
      dueAt,
      purchaseOrder,
      bank: taxInvoice.seller.bank ?? null,
    },
    attachment: attachInvoice(taxInvoice),
    dedupeKey: `tax-invoice:${taxInvoice.id}`,
  });
}
