import { expect, test } from "vitest";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { postSubscription, loadSubscription } from "#tests/factories/subscription.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

/** Advances the application's clock to a time and runs the due tasks. */
async function advanceTo(moment: string): Promise<void> {
  const advanceSeconds = (Date.parse(moment) - app.clock.now().getTime()) / 1_000;
  const { status, text } = await app.rest("POST", "/dev/clock", { body: { advanceSeconds } });
  if (status !== 200) throw new Error(`moving the clock failed: ${status} ${text}`);
}

/**
 * Monthly Professional from 31 January with 10 % off the first payment, calculated by hand: A$149.95 a month plus 10 %
 * GST rounded half up. Short months end on their last day; longer months end on the 31st again.
 */
const table = [
  // paid on, period until, discount, GST, total, licence until
  ["2027-01-31", "2027-02-28", 1_500, 1_350, 14_845, "2027-03-03"],
  ["2027-02-28", "2027-03-31", 0, 1_500, 16_495, "2027-04-03"],
  ["2027-03-31", "2027-04-30", 0, 1_500, 16_495, "2027-05-03"],
  ["2027-04-30", "2027-05-31", 0, 1_500, 16_495, "2027-06-03"],
  ["2027-05-31", "2027-06-30", 0, 1_500, 16_495, "2027-07-03"],
  ["2027-06-30", "2027-07-31", 0, 1_500, 16_495, "2027-08-03"],
  ["2027-07-31", "2027-08-31", 0, 1_500, 16_495, "2027-09-03"],
  ["2027-08-31", "2027-09-30", 0, 1_500, 16_495, "2027-10-03"],
  ["2027-09-30", "2027-10-31", 0, 1_500, 16_495, "2027-11-03"],
  ["2027-10-31", "2027-11-30", 0, 1_500, 16_495, "2027-12-03"],
  ["2027-11-30", "2027-12-31", 0, 1_500, 16_495, "2028-01-03"],
  ["2027-12-31", "2028-01-31", 0, 1_500, 16_495, "2028-02-03"],
] as const;

test("matches a manually calculated table over twelve months", async () => {
  await advanceTo("2027-01-31T02:00:00Z");
  const user = await createUser(app);
  const { code } = await createPromoCode(app);
  expect((await postSubscription(app, await signInAs(app, user), { promoCode: code })).text).toBe("true");

  const day = (moment: Date | null) => moment?.toISOString().slice(0, 10);
  for (const [index, [paidOn, , , , , licenceUntil]] of table.entries()) {
    if (index > 0) await advanceTo(`${paidOn}T08:00:00Z`);
    const { licence, subscription } = await loadSubscription(app, user.id);
    expect(subscription.status).toBe("active");
    expect(day(licence.expiresAt), `after the payment of ${paidOn}`).toBe(licenceUntil);
  }

  const invoices = await app.services.orm.em.fork().find(TaxInvoice, { user: user.id }, { orderBy: { number: "asc" } });
  expect(
    invoices.map((invoice) => [
      day(invoice.paidAt),
      day(invoice.periodEnd),
      invoice.discountCents,
      invoice.gstCents,
      invoice.totalCents,
    ]),
  ).toEqual(table.map((row) => row.slice(0, 5)));
  expect(invoices.map((invoice) => Number(invoice.number))).toEqual(table.map((_, index) => 100_001 + index));
  expect(invoices.every((invoice) => invoice.amountCents === 14_995)).toBe(true);
}, 120_000);
