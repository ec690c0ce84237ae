import type { InvoiceDetailsValues } from "#schema/billing-details.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { getGstBasisPoints } from "#api/billing/plans/price-quote.ts";
import { recordDocument } from "#api/billing/journal/record-entries.ts";
import { copyServicePeriods } from "#api/billing/revenue/service-periods.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, inTransaction, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { pick } from "#api/platform/pick.ts";
import { assertCanBeInvoiced, lockCustomer } from "./lock-invoice.ts";
import { emailTaxInvoice } from "./email-tax-invoice.ts";
import { issueAdjustmentNote } from "./issue-adjustment-note.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";
import { lockSequence, takeNumber } from "./number-sequence.ts";
import { toInvoiceWebhookData } from "./tax-invoice.json.ts";
import { getSeller, getSellerWithBank, type InvoiceParty, TaxInvoice, toBuyer } from "./tax-invoice.entity.ts";

/**
 * Re-issues a tax invoice to another company, ABN or address (docs/domain.md#reissue): an adjustment note cancels it, and
 * a new invoice with the same lines, days and payments replaces it. Both are emailed. A repeated call with the same
 * details returns the new invoice.
 * @throws AppError NOT_FOUND; CONFLICT for an adjustment note, an invoice over nothing, with a note or with a pending refund, an invoice
 * that was re-issued to somebody else, and an archived or deleted account; BAD_USER_INPUT for the same details, or a
 * country with another GST.
 */
export async function reissueInvoice(
  context: Context,
  id: string,
  details: InvoiceDetailsValues,
  reason: string,
): Promise<TaxInvoice> {
  return inTransaction(context, async (em) => {
    const found = await getRow(em, TaxInvoice, id);
    const user = await lockCustomer(em, found.user.id);
    const invoice = await em.findOneOrFail(TaxInvoice, id, { refresh: true });
    const buyer = toNewBuyer(user, details);
    const existing = await em.findOne(TaxInvoice, { replaces: id });
    if (existing && isSame(existing.buyer, buyer)) return existing;
    await assertCanBeReissued(em, user, invoice, existing);
    if (isSame(invoice.buyer, buyer)) throw badInput({ companyName: [`Invoice ${invoice.number} has these details.`] });
    if (getGstBasisPoints(details.country) !== invoice.gstBasisPoints) throw badInput({ country: [OTHER_GST] });
    const { manual, replacement } = await replace(context, em, invoice, buyer);
    const note = await issueAdjustmentNote(context, em, {
      invoiceId: invoice.id,
      refundedAt: null,
      refundedCents: invoice.totalCents,
      reason: `Tax invoice ${invoice.number} was re-issued as ${replacement.number}`,
      isReissue: true,
      manual,
    });
    recordDocument(em, replacement, manual);
    if (manual) manual.taxInvoice = replacement;
    await recordChange(context, em, {
      action: "reissue-invoice",
      subject: { type: "invoice", id: manual?.id ?? replacement.id, name: replacement.number },
      userId: user.id,
      before: { taxInvoice: invoice.number, ...toAuditedBuyer(invoice.buyer) },
      after: { taxInvoice: replacement.number, ...toAuditedBuyer(buyer), adjustmentNote: note.number, reason },
    });
    await em.flush();
    if (replacement.paidAt)
      await recordWebhookEvents(context, em, [
        {
          type: "invoice.paid",
          userId: user.id,
          data: { userId: user.id, invoice: toInvoiceWebhookData(replacement) },
        },
      ]);
    await emailTaxInvoice(context, em, note);
    await emailTaxInvoice(context, em, replacement);
    return replacement;
  });
}

const OTHER_GST =
  "The GST of an invoice depends on the country. Void or refund this invoice, and issue a new one instead.";

/** Returns the buyer as {@link toBuyer} does, with the customer as the contact of a company. */
function toNewBuyer(user: User, details: InvoiceDetailsValues): InvoiceParty {
  const { companyName = "", abn = "", unitNumber = "", fullAddress: _fullAddress, ...address } = details;
  const { firstName, lastName } = user;
  return toBuyer({ firstName, lastName, companyName, abn, unitNumber, ...address });
}

const isSame = (one: InvoiceParty, other: InvoiceParty) =>
  (["name", "contact", "abn", "address"] as const).every(
    (key) => JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );

const toAuditedBuyer = ({ name, abn, address }: InvoiceParty) => ({ buyer: name, abn, address: address.join(", ") });

/** @throws AppError CONFLICT with the reason. */
async function assertCanBeReissued(
  em: EntityManager,
  user: User,
  { id, kind, number, totalCents }: TaxInvoice,
  existing: TaxInvoice | null,
): Promise<void> {
  assertCanBeInvoiced(user);
  if (kind === "adjustment") throw conflict("An adjustment note can't be re-issued. Re-issue its invoice instead.");
  if (existing) throw conflict(`Invoice ${number} was already re-issued as ${existing.number}. Re-issue that one.`);
  if (totalCents === 0) throw conflict(`Invoice ${number} is over A$0.00, so there is nothing to adjust.`);
  const note = await em.findOne(TaxInvoice, { adjusts: id });
  if (note)
    throw conflict(
      `Adjustment note ${note.number} already reduces invoice ${number}. An invoice that was refunded or voided can't be re-issued.`,
    );
  const pending = await query(em, "select from refunds where tax_invoice_id = $1 and status = 'PENDING'", [id]);
  if (pending.length > 0) throw conflict(`Invoice ${number} is being refunded, so it can't be re-issued.`);
}

/** Creates the new invoice: everything but number, date and buyer is as on the replaced one. */
async function replace(context: Context, em: EntityManager, invoice: TaxInvoice, buyer: InvoiceParty) {
  const manual = await em.findOne(ManualInvoice, { taxInvoice: invoice.id }, { refresh: true });
  await lockSequence(em, "tax-invoice");
  const replacement = em.create(TaxInvoice, {
    ...pick(invoice, "user", "dueAt", "purchaseOrder", "creditCents", "cardLast4", "planPrice", "description"),
    ...pick(invoice, "periodStart", "periodEnd", "lines"),
    ...pick(invoice, "amountCents", "discountCents", "gstCents", "gstBasisPoints", "totalCents"),
    kind: "invoice",
    number: await takeNumber(em, "tax-invoice"),
    replaces: invoice,
    issuedAt: context.clock.now(),
    paidAt: manual?.paidAt ?? invoice.paidAt,
    seller: invoice.seller.bank ? getSellerWithBank() : getSeller(),
    buyer,
  });
  await copyServicePeriods(em, replacement, invoice);
  return { manual, replacement };
}
