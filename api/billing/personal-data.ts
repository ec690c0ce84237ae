import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { MAX_EXPORTED_ROWS, type PersonalData, createBatchStatement } from "#api/platform/database/personal-data.ts";
import { pick } from "#api/platform/pick.ts";
import { ReceivedPayment } from "#api/billing/payments/received-payment.entity.ts";
import { CreditEntry } from "#api/billing/credits/credit-entry.entity.ts";
import { BillingContact } from "#api/billing/billing-contacts/billing-contact.entity.ts";
import { PromoRedemption } from "#api/billing/promo-codes/promo-redemption.entity.ts";

export const invoiceData: PersonalData = {
  kept: [
    {
      title: "Tax invoices and adjustment notes",
      table: "tax_invoices",
      where: "user_id = $1",
      reason:
        "Australian tax law requires us to keep them unchanged for 5 years. They show the buyer's name, address and ABN, and no email address.",
    },
    {
      title: "Invoices by hand",
      table: "manual_invoices",
      where: "user_id = $1",
      reason: "They are part of our accounts. The buyer's name is only in the tax invoice.",
    },
    { title: "Journal entries", table: "journal_entries", where: "user_id = $1", reason: "They are our accounts." },
  ],
  exported: {
    async taxInvoices({ em }, user) {
      const invoices = await em.find(
        TaxInvoice,
        { user: user.id },
        { orderBy: { issuedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return invoices.map((one) =>
        pick(one, "number", "kind", "issuedAt", "paidAt", "cardLast4", "description", "totalCents", "buyer"),
      );
    },
    async invoicesByHand({ em }, user) {
      const invoices = await em.find(
        ManualInvoice,
        { user: user.id, status: { $ne: "draft" } },
        { orderBy: { createdAt: "desc" }, populate: ["taxInvoice"], limit: MAX_EXPORTED_ROWS },
      );
      return invoices.map((one) => ({
        number: one.taxInvoice?.number,
        ...pick(one, "status", "lines", "totalCents", "paidCents", "creditCents", "dueAt", "purchaseOrder"),
      }));
    },
  },
};

export const receivedPaymentData: PersonalData = {
  kept: [
    {
      title: "Payments received",
      table: "received_payments",
      where: "user_id = $1",
      reason: "They are part of our accounts.",
    },
  ],
  exported: {
    async paymentsReceived({ em }, user) {
      const payments = await em.find(
        ReceivedPayment,
        { user: user.id },
        { orderBy: { receivedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return payments.map((one) => pick(one, "method", "amountCents", "receivedAt", "reference"));
    },
  },
};

export const quoteData: PersonalData = {
  kept: [
    {
      title: "Quotes",
      table: "quotes",
      where: "user_id = $1",
      reason: "Accepted quotes are part of our accounts.",
    },
  ],
};

export const creditData: PersonalData = {
  kept: [
    {
      title: "Credit",
      table: "credit_entries",
      where: "user_id = $1",
      reason: "It is part of our accounts.",
    },
  ],
  exported: {
    async credit({ em }, user) {
      const entries = await em.find(
        CreditEntry,
        { user: user.id },
        { orderBy: { createdAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return entries.map((one) => pick(one, "kind", "amountCents", "reason", "createdAt"));
    },
  },
};

export const billingContactData: PersonalData = {
  tables: {
    billing_contacts: { deleted: "billing-contacts" },
  },
  erasure: [
    {
      name: "billing-contacts",
      title: "Billing contact and second recipient of invoices",
      effect: "deleted",
      table: "billing_contacts",
      run: createBatchStatement(
        `delete from billing_contacts where id in (select id from billing_contacts where user_id = :user limit :limit)`,
      ),
    },
  ],
  exported: {
    async billingContact({ em }, user) {
      const found = await em.find(BillingContact, { user: user.id });
      return found.map((one) => pick(one, "name", "email", "secondEmail", "purchaseOrder"));
    },
  },
};

export const refundData: PersonalData = {
  tables: {
    refunds: { erasedBy: "refund-reasons" },
  },
  erasure: [
    {
      name: "refund-reasons",
      title: "Reasons that staff gave for refunds",
      effect: "anonymized",
      table: "refunds",
      run: createBatchStatement(
        `update refunds set reason = 'Erased' where id in (
           select id from refunds where user_id = :user and reason <> 'Erased' limit :limit)`,
      ),
    },
  ],
};

export const promoCodeData: PersonalData = {
  kept: [
    {
      title: "Promo codes used",
      table: "promo_redemptions",
      where: "user_id = $1",
      reason: "Discounts are part of our accounts, and a one-time code must not work twice. Only ids are kept.",
    },
  ],
  exported: {
    async promoCodes({ em }, user) {
      const redemptions = await em.find(
        PromoRedemption,
        { user: user.id },
        { orderBy: { createdAt: "desc" }, populate: ["promoCode"], limit: MAX_EXPORTED_ROWS },
      );
      return redemptions.map(({ promoCode, state, createdAt }) => ({ code: promoCode.code, state, usedAt: createdAt }));
    },
  },
};
