import { brand } from "#schema/brand.ts";
import { planPriceId } from "#schema/plan-catalogue.ts";
import type { User } from "#api/features/accounts/user.entity.ts";
import { issueTaxInvoice } from "#api/features/invoices/issue-tax-invoice.ts";
import { findPlanPrice } from "#api/features/plans/find-plan-price.ts";
import { gstBasisPointsFor, quote } from "#api/features/plans/price-quote.ts";
import { at, type Demo, monthsFrom } from "./history.ts";

/** Three tax invoices: two months of Professional, then the year that was subscribed to at `yearlySince`. */
export async function writeTaxInvoices(demo: Demo, user: User, yearlySince: Date): Promise<void> {
  for (const [interval, monthsBefore, months] of [
    ["monthly", -2, 1],
    ["monthly", -1, 1],
    ["yearly", 0, 12],
  ] as const) {
    const price = await findPlanPrice(demo.em, planPriceId(`${brand.segment}-professional`, interval));
    if (!price) throw new Error("The catalogue has no Professional.");
    const paidAt = monthsFrom(yearlySince, monthsBefore);
    const gstBasisPoints = gstBasisPointsFor(user.country);
    const { amountCents, gstCents, totalCents } = quote({
      amountCents: price.audCents,
      discount: null,
      gstBasisPoints,
    });
    const description = `${price.plan.name}, ${interval} subscription`;
    await issueTaxInvoice(at(demo, paidAt), demo.em, {
      userId: user.id,
      paidAt,
      cardLast4: "4242",
      planPrice: price.id,
      description,
      periodStart: paidAt,
      periodEnd: monthsFrom(paidAt, months),
      lines: [{ description, amountCents }],
      gstBasisPoints,
      gstCents,
      totalCents,
    });
  }
}
