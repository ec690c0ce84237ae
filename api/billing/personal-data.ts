import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import {
  createAnonymizePart,
  createBatchStatement,
  createDeletePart,
  type ErasurePart,
  exportRows,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";
import { CardPayment, ReceivedPayment } from "#api/billing/payments/payment.entity.ts";
import { CreditEntry } from "#api/billing/credits/credit-entry.entity.ts";
import { BillingContact } from "#api/billing/billing-contacts/billing-contact.entity.ts";
import { PromoRedemption } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Quote } from "#api/billing/quotes/quote.entity.ts";
import { Refund } from "#api/billing/refunds/refund.entity.ts";
import { pick } from "#api/platform/pick.ts";

/** Creates a part that deletes the rows of a table that never became a part of our accounts. */
function createUnusedPart(name: string, title: string, table: string, where: string): ErasurePart {
  const rows = `select id from ${table} where user_id = :user and ${where} limit :limit`;
  const run = createBatchStatement(`delete from ${table} where id in (${rows})`);
  return { name, title, table, effect: "deleted", run };
}

export const invoiceData: PersonalData = {
  erasure: [createUnusedPart("draft-invoices", "Drafts of invoices", "manual_invoices", "status = 'draft'")],
  kept: [
    {
      title: "Tax invoices and adjustment notes",
      table: "tax_invoices",
      reason:
        "Australian tax law requires us to keep them unchanged for 5 years. They show the buyer's name, address and ABN, and no email address.",
    },
    {
      title: "Invoices by hand",
      table: "manual_invoices",
      reason: "They are part of our accounts. The buyer's name is only in the tax invoice.",
    },
    { title: "Journal entries", table: "journal_entries", reason: "They are our accounts." },
  ],
  exported: {
    taxInvoices: exportRows(TaxInvoice, { orderBy: { issuedAt: "desc" } }, [
      "number",
      "kind",
      "issuedAt",
      "paidAt",
      "cardLast4",
      "purchaseOrder",
      "description",
      "totalCents",
      "buyer",
    ]),
    invoicesByHand: exportRows(
      ManualInvoice,
      { of: (user) => ({ user, status: { $ne: "draft" } }), orderBy: { createdAt: "desc" }, populate: ["taxInvoice"] },
      (invoice) => ({
        number: invoice.taxInvoice?.number,
        ...pick(invoice, "status", "lines", "totalCents", "paidCents", "creditCents", "dueAt", "purchaseOrder"),
      }),
    ),
  },
};

export const receivedPaymentData: PersonalData = {
  kept: [
    { title: "Payments received", table: "received_payments", reason: "They are part of our accounts." },
    { title: "Card payments of invoices", table: "card_payments", reason: "They are part of our accounts." },
  ],
  exported: {
    cardPaymentsOfInvoices: exportRows(CardPayment, { orderBy: { createdAt: "desc" } }, [
      "amountCents",
      "state",
      "message",
      "createdAt",
      "finishedAt",
    ]),
    paymentsReceived: exportRows(ReceivedPayment, { orderBy: { receivedAt: "desc" } }, [
      "method",
      "amountCents",
      "receivedAt",
      "reference",
    ]),
  },
};

export const quoteData: PersonalData = {
  erasure: [createUnusedPart("open-quotes", "Quotes that were not accepted", "quotes", "accepted_at is null")],
  kept: [{ title: "Quotes", table: "quotes", reason: "Accepted quotes are part of our accounts." }],
  exported: {
    quotes: exportRows(Quote, { orderBy: { createdAt: "desc" } }, [
      "number",
      "createdAt",
      "validUntil",
      "totalCents",
      "document",
      "acceptedAt",
      "acceptedByName",
      "acceptedByRole",
      "withdrawnAt",
    ]),
  },
};

export const creditData: PersonalData = {
  kept: [{ title: "Credit", table: "credit_entries", reason: "It is part of our accounts." }],
  exported: {
    credit: exportRows(CreditEntry, { orderBy: { createdAt: "desc" } }, ["kind", "amountCents", "reason", "createdAt"]),
  },
};

export const billingContactData: PersonalData = {
  erasure: [
    createDeletePart("billing-contacts", "Billing contact and second recipient of invoices", "billing_contacts"),
  ],
  exported: { billingContact: exportRows(BillingContact, {}, ["name", "email", "secondEmail", "purchaseOrder"]) },
};

export const refundData: PersonalData = {
  tables: { refunds: { erasedBy: "refund-reasons" } },
  erasure: [
    createAnonymizePart(
      "refund-reasons",
      "Reasons that staff gave for refunds",
      "refunds",
      `update refunds set reason = 'Erased' where id in (
         select id from refunds where user_id = :user and reason <> 'Erased' limit :limit)`,
    ),
  ],
  exported: {
    refunds: exportRows(Refund, { orderBy: { createdAt: "desc" } }, [
      "createdAt",
      "amountCents",
      "reason",
      "isToCard",
      "status",
    ]),
  },
};

export const promoCodeData: PersonalData = {
  kept: [
    {
      title: "Promo codes used",
      table: "promo_redemptions",
      reason: "Discounts are part of our accounts, and a one-time code must not work twice. Only ids are kept.",
    },
  ],
  exported: {
    promoCodes: exportRows(
      PromoRedemption,
      { orderBy: { createdAt: "desc" }, populate: ["promoCode"] },
      ({ promoCode, state, createdAt }) => ({ code: promoCode.code, state, usedAt: createdAt }),
    ),
  },
};
