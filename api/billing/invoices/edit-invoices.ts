import { getCalendarDay, getEndOfDay } from "#schema/days.ts";
import {
  invoiceLineRules,
  type ManualInvoiceValues,
  MAX_INVOICE_CENTS,
  suggestServiceDays,
} from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { getBillingContact } from "#api/billing/billing-contacts/billing-contacts.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inKeyedTransaction, inTransaction, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { addGst, calculateIncludedGst, calculateQuote, getGstBasisPoints } from "#api/billing/plans/price-quote.ts";
import { isRenewed } from "#api/billing/subscriptions/subscription.entity.ts";
import type { Credit } from "#api/billing/credits/credits.ts";
import { digestRequest, repeatResult } from "#api/billing/request-key.ts";
import { assertCanBeInvoiced, getAuditSubject, toAuditedInvoice, lockCustomer, lockInvoice } from "./lock-invoice.ts";
import { ManualInvoice, type ManualInvoiceLine } from "./manual-invoice.entity.ts";

/**
 * Creates a draft invoice for a customer (docs/domain.md#manual-invoices), by default with the purchase order number of the
 * billing contact. A repeated call with the same key returns the first draft.
 * @throws AppError NOT_FOUND for an unknown user; CONFLICT for an admin, for an archived or deleted account, and as
 * {@link repeatResult}; BAD_USER_INPUT as {@link toColumns} does.
 */
export async function createInvoice(
  context: Context,
  userId: string,
  values: ManualInvoiceValues,
  key: string,
): Promise<ManualInvoice> {
  const requestDigest = digestRequest(values);
  return inKeyedTransaction(context, async (em) => {
    const user = await lockCustomer(em, userId);
    const first = await findInvoiceByKey(em, key, (invoice) => invoice.user.id === user.id, requestDigest);
    if (first) return first;
    assertCanBeInvoiced(user);
    const { purchaseOrder } = await getBillingContact(em, user.id);
    const invoice = em.create(ManualInvoice, {
      ...(await toColumns(context, em, user, { ...values, purchaseOrder: values.purchaseOrder || purchaseOrder })),
      key,
      requestDigest,
      user,
      createdAt: context.clock.now(),
      createdById: context.actor?.userId ?? null,
    });
    await recordChange(context, em, {
      action: "create-invoice",
      subject: getAuditSubject(invoice),
      userId: user.id,
      after: toAuditedInvoice(invoice),
    });
    await em.flush();
    return invoice;
  });
}

/**
 * Returns the invoice that an earlier request with the same key created; null for a new key.
 * @param isAbout whether an invoice is of the customer or licence of the request
 * @throws AppError as {@link repeatResult}.
 */
export async function findInvoiceByKey(
  em: EntityManager,
  key: string,
  isAbout: (invoice: ManualInvoice) => boolean,
  requestDigest: string,
): Promise<ManualInvoice | null> {
  const first = await em.findOne(ManualInvoice, { key }, { populate: ["taxInvoice", "voidNote"] });
  if (!first) return null;
  const isSame = isAbout(first) && (first.requestDigest ?? requestDigest) === requestDigest;
  const name = first.taxInvoice ? `invoice ${first.taxInvoice.number}` : "a draft";
  return repeatResult(first, isSame, `${name} over ${formatAud(first.totalCents)} was created`);
}

/**
 * Changes a draft.
 * @param revision the revision that the form was loaded with
 * @throws AppError NOT_FOUND; CONFLICT if it is no longer a draft or was changed since `revision`; BAD_USER_INPUT.
 */
export async function updateInvoice(
  context: Context,
  id: string,
  values: ManualInvoiceValues,
  revision: number,
): Promise<ManualInvoice> {
  return inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, id);
    assertDraft(invoice);
    if (invoice.revision !== revision) throw conflict("This draft was changed in the meantime. Open it again.");
    assertCanBeInvoiced(user);
    const before = toAuditedInvoice(invoice);
    em.assign(invoice, { ...(await toColumns(context, em, user, values)), revision: revision + 1 });
    // The customer must not accept what was changed since.
    await query(
      em,
      "update quotes set withdrawn_at = $2 where invoice_id = $1 and withdrawn_at is null and accepted_at is null",
      [invoice.id, context.clock.now()],
    );
    await recordChange(context, em, {
      action: "update-invoice",
      subject: getAuditSubject(invoice),
      userId: user.id,
      before,
      after: toAuditedInvoice(invoice),
    });
    return invoice;
  });
}

/**
 * Deletes a draft.
 * @throws AppError NOT_FOUND if it doesn't exist or was already discarded; CONFLICT if it has a number.
 */
export async function discardInvoice(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, id);
    assertDraft(invoice);
    await recordChange(context, em, {
      action: "discard-invoice",
      subject: getAuditSubject(invoice),
      userId: user.id,
      before: toAuditedInvoice(invoice),
    });
    em.remove(invoice);
  });
}

function assertDraft({ status, taxInvoice }: ManualInvoice): void {
  if (status === "draft") return;
  const next = status === "open" ? " Void it instead." : "";
  throw conflict(`Invoice ${taxInvoice?.number} has been issued, so it can't be changed or discarded.${next}`);
}

/** Calculates the amounts of an invoice in cents. GST depends on the customer's country and is rounded once. */
export function calculateAmounts(lines: readonly ManualInvoiceLine[], country: string) {
  const gstBasisPoints = getGstBasisPoints(country);
  const amountCents = lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0);
  // A payment of the total has the same maximum.
  if (amountCents > MAX_INVOICE_CENTS || addGst(amountCents, gstBasisPoints) > MAX_INVOICE_CENTS)
    throw badInput({ lines: [`The lines must add up to at most ${formatAud(MAX_INVOICE_CENTS)}, including GST.`] });
  const { gstCents, totalCents } = calculateQuote({ amountCents, discount: null, gstBasisPoints });
  return { gstBasisPoints, amountCents, gstCents, totalCents };
}

/**
 * Applies a customer's credit to the amounts of an invoice. Goodwill reduces the price with its GST, and then money that
 * the customer paid before pays the rest (docs/domain.md#credits).
 */
export function applyCredit(amounts: ReturnType<typeof calculateAmounts>, credit: Credit) {
  const goodwillCents = Math.min(amounts.totalCents, Math.max(0, credit.goodwillCents));
  const totalCents = amounts.totalCents - goodwillCents;
  const gstCents = goodwillCents ? calculateIncludedGst(totalCents, amounts.gstBasisPoints) : amounts.gstCents;
  return {
    ...amounts,
    goodwillCents,
    discountCents: amounts.amountCents - (totalCents - gstCents),
    gstCents,
    totalCents,
    creditCents: Math.min(totalCents, Math.max(0, credit.paidCents)),
  };
}

export const LICENCE_ENDED = "The licence would have ended already. Choose a later end.";

/** Returns whether the licence of an invoice, if it has one, ends before the day of `now`. */
export const hasLicenceEnded = (licence: { readonly until: string } | null | undefined, now: Date): boolean =>
  Boolean(licence && licence.until < getCalendarDay(now));

const periodRules = invoiceLineRules.pick(["firstDay", "lastDay"]);

/**
 * @throws AppError BAD_USER_INPUT if the lines add up to too much, their period is too long, or the licence can't be extended or
 * would end before today.
 */
async function toColumns(context: Context, em: EntityManager, user: User, values: ManualInvoiceValues) {
  const { dueDay, purchaseOrder, licence } = values;
  if (hasLicenceEnded(licence, context.clock.now())) throw badInput({ licence: [LICENCE_ENDED] });
  const found = licence ? await findLicence(em, user, licence) : null;
  const suggested = licence ? suggestServiceDays(found, licence.until, context.clock.now()) : null;
  const lines = values.lines.map(({ withoutPeriod, firstDay, lastDay, ...line }) => {
    // The licence may end later than the period of a line can.
    const days = firstDay || withoutPeriod ? { firstDay, lastDay } : check(periodRules, { ...suggested });
    return { ...line, firstDay: days.firstDay ?? null, lastDay: days.lastDay ?? null };
  });
  return {
    lines,
    ...calculateAmounts(lines, user.country),
    dueAt: dueDay ? getEndOfDay(dueDay) : null,
    purchaseOrder: purchaseOrder || null,
    licenceTerms: licence
      ? {
          ...licence,
          licenceId: found?.id ?? null,
          ...(found && { usersBefore: found.numberOfUsers, machinesBefore: found.numberOfMachines }),
        }
      : null,
  };
}

/** Returns the licence that an invoice extends; null for a new one. @throws AppError BAD_USER_INPUT if it can't be. */
async function findLicence(
  em: EntityManager,
  user: User,
  { licenceId }: NonNullable<ManualInvoiceValues["licence"]>,
): Promise<Licence | null> {
  if (!licenceId) return null;
  const licence = isUuid(licenceId) ? await em.findOne(Licence, { id: licenceId, user: user.id }) : null;
  if (!licence) throw badInput({ licence: ["This customer doesn't have the licence."] });
  if (licence.revokedAt) throw badInput({ licence: ["The licence was deactivated. Choose a new licence instead."] });
  if (await isRenewed(em, licence.id))
    throw badInput({ licence: ["A subscription renews this licence. Choose a new licence instead."] });
  return licence;
}
