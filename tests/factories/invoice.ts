import { calculateQuote } from "#api/billing/plans/price-quote.ts";
import { type IssueTaxInvoiceValues, issueTaxInvoice } from "#api/billing/invoices/issue-tax-invoice.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Builds the invoice values for one paid month of Professional in Australia, with `changes`. */
export function professionalMonth(
  test: TestApp,
  user: Pick<User, "id">,
  changes: Partial<IssueTaxInvoiceValues> = {},
): Parameters<typeof issueTaxInvoice>[2] {
  const now = test.clock.now();
  const { gstCents, totalCents } = calculateQuote({ amountCents: 14_995, discount: null, gstBasisPoints: 1_000 });
  return {
    userId: user.id,
    paidAt: now,
    cardLast4: "4242",
    planPrice: "xer-professional-monthly",
    description: "Professional, monthly subscription",
    periodStart: now,
    periodEnd: addMilliseconds(now, 30 * DAY),
    lines: [{ description: "Professional, monthly subscription", amountCents: 14_995 }],
    gstBasisPoints: 1_000,
    gstCents,
    totalCents,
    ...changes,
  };
}

/** Issues a tax invoice for {@link professionalMonth} with `changes` applied. */
export function createTaxInvoice(
  test: TestApp,
  user: Pick<User, "id">,
  changes: Partial<IssueTaxInvoiceValues> = {},
): Promise<TaxInvoice> {
  const context = test.context();
  return issueTaxInvoice(context, context.em, professionalMonth(test, user, changes));
}
