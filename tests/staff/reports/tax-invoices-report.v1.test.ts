import { test } from "vitest";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { PromoRedemption } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv } from "./report-owner.ts";

const app = await startTestApp();
const { em, owner, ownerCells, expectRows } = await createReportOwner(app);

test("5 Tax Invoices, with amounts, promo codes and adjustment notes", async () => {
  const code = await createPromoCode(app, { code: "AUTUMN" });
  const checkout = em.create(Checkout, {
    user: owner.id,
    planPrice: "xer-professional-monthly",
    promoCode: "autumn ",
    state: "paid",
    gstBasisPoints: 1_000,
    discountCents: 1_000,
    totalCents: 15_395,
    createdAt: at,
  } as never);
  em.create(PromoRedemption, {
    promoCode: code.id,
    user: owner.id,
    checkoutId: checkout.id,
    state: "redeemed",
    createdAt: at,
  } as never);
  await em.flush();
  const invoice = await createTaxInvoice(app, owner, {
    issuedAt: at,
    paidAt: at,
    periodStart: at,
    periodEnd: at,
    lines: [{ description: "Professional", amountCents: 14_995 }],
    discountCents: 1_000,
    gstCents: 1_400,
    totalCents: 15_395,
  });
  const context = app.context();
  const later = new Date("2020-03-20T00:00:00Z");
  const note = await issueAdjustmentNote(context, context.em, {
    invoiceId: invoice.id,
    refundedAt: later,
    issuedAt: later,
    refundedCents: 5_000,
  });
  const common = {
    ...readCells(`
      Plan: Professional, monthly | Period start (Brisbane time): ${inCsv} | Period end (Brisbane time): ${inCsv}
      GST rate (%): #10 | Card ending: 4242 | Buyer: ${ownerCells.Company} | Buyer ABN: 51 824 753 556
      Buyer address: 12 Eagle Street, Brisbane QLD 4000, Australia`),
    ...ownerCells,
  };
  await expectRows(5, [
    {
      ...readCells(`
      Date issued (Brisbane time): 2020-03-20T10:00:00+10:00 | Number: ${note.number} | Document: Adjustment note
      Adjusts invoice: ${invoice.number}`),
      Description: `Refund of tax invoice ${invoice.number}`,
      ...readCells(`
      Amount (AUD): $-45.45 | Discount (AUD): $0.00 | GST (AUD): $-4.55 | Total (AUD): $-50.00 | Refunded (AUD):
      Date paid (Brisbane time): 2020-03-20T10:00:00+10:00 | Promo Code:`),
      ...common,
    },
    {
      ...readCells(`
      Date issued (Brisbane time): ${inCsv} | Number: ${invoice.number} | Document: Tax invoice | Adjusts invoice:
      Description: Professional, monthly subscription | Amount (AUD): $149.95 | Discount (AUD): $10.00
      GST (AUD): $14.00 | Total (AUD): $153.95 | Refunded (AUD): $50.00 | Date paid (Brisbane time): ${inCsv}
      Promo Code: AUTUMN`),
      ...common,
    },
  ]);
});
