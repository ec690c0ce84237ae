import { afterEach, expect, test } from "vitest";
import { addDays, getCalendarDay, toDayNumber } from "#schema/days.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { readMoneyMonths } from "#api/billing/revenue/read-money.ts";
import { ServicePeriod } from "#api/billing/revenue/service-period.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, createPaidInvoice, loadRefunded, refundMutation } from "#tests/factories/refund.ts";
import { advanceTime, stopRenewals } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const em = () => app.context().em.fork();

const preview = (invoiceId: string, token: string, terms: object = {}) =>
  app.call("refundPreview", { invoiceId, ...terms }, token);
const refundUnused = (invoiceId: string, amountCents: number, token: string) =>
  app.call(refundMutation, { input: buildRefund(invoiceId, { unusedTime: true, amountCents }) }, token);

/** Returns what all documents earned until today, and what they defer. */
async function readRevenue() {
  const today = getCalendarDay(app.clock.now());
  const months = await readMoneyMonths(app.context(), { startDate: addDays(today, -90), endDate: today });
  return { revenue: months.reduce((sum, month) => sum + month.revenue, 0), deferred: months.at(-1)?.deferred };
}

test("refunds exactly the days after today of a subscription, ends it, and releases nothing but what is kept", async () => {
  const { user, invoiceId } = await createPaidInvoice(app);
  await advanceTime(app, 10);
  const staffToken = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const period = await em().findOneOrFail(ServicePeriod, { document: invoiceId });
  const used = toDayNumber(getCalendarDay(app.clock.now())) - toDayNumber(period.firstDay ?? "") + 1;
  const netCents = period.toCents - Math.round((period.toCents * used) / period.days);
  const amountCents = netCents + Math.round(netCents / 10);
  const unused = { daysUsed: used, daysLeft: period.days - used, lastDay: period.lastDay, amountCents };
  expect(await preview(invoiceId, staffToken)).toMatchObject({ unused, amountCents: 16_495 });
  const shown = await preview(invoiceId, staffToken, { unusedTime: true });
  expect(shown).toMatchObject({
    amountCents,
    gstCents: amountCents - netCents,
    suggestedLicence: "END_NOW",
    licenceChoices: ["KEEP", "END_NOW", "END_AT_PERIOD_END"],
  });
  await expect(refundUnused(invoiceId, amountCents + 1, staffToken)).rejects.toThrow(/^The unused time is now A\$/);

  const expected = { status: "DONE", amountCents, licence: "END_NOW" };
  expect(await refundUnused(invoiceId, amountCents, staffToken)).toMatchObject(expected);
  const { licence, subscription } = await loadRefunded(app, user.id);
  expect([licence.revokedAt !== null, subscription.status]).toEqual([true, "cancelled"]);
  expect(await readRevenue()).toEqual({ revenue: period.toCents - netCents, deferred: 0 });
  await expect(preview(invoiceId, staffToken, { unusedTime: true })).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await listAuditEntries(app, user.id)).toContainEqual(
    expect.objectContaining({
      action: "refund-invoice",
      after: expect.objectContaining({ unusedDays: `${unused.daysLeft} of ${period.days}` }),
    }),
  );
});

test("ends the licence of an invoice by hand with the refund of its unused time, unless staff keep it", async () => {
  const customer = await createCorporateUser(app);
  const staffToken = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const until = addDays(getCalendarDay(app.clock.now()), 99);
  const terms = { licenceId: undefined, productLevel: 14, numberOfUsers: 5, numberOfMachines: 5, until };
  const { id } = await createOpenInvoice(app, customer, { licence: terms });
  await recordPayment(app.context(), id, buildPayment(app), { key: "payment-of-unused-1", expected: 110_000 });
  const { licence, taxInvoice } = await em().findOneOrFail(ManualInvoice, id, { populate: ["licence", "taxInvoice"] });
  const invoiceId = taxInvoice?.id ?? "";
  expect(await preview(invoiceId, staffToken)).toMatchObject({ amountCents: 110_000, suggestedLicence: "END_NOW" });
  expect(await preview(invoiceId, staffToken, { amountCents: 1 })).toMatchObject({ suggestedLicence: "KEEP" });
  expect(await preview(invoiceId, staffToken, { unusedTime: true, licence: "KEEP" })).toMatchObject({
    amountCents: 108_900,
    gstCents: 9_900,
    suggestedLicence: "END_NOW",
    licenceChoices: ["KEEP", "END_NOW"],
    unused: { daysUsed: 1, daysLeft: 99, lastDay: until, amountCents: 108_900 },
    licence: "KEEP",
    supportCode: licence?.supportCode,
  });
  // A merge of accounts moves the licence, and the invoice stays.
  await em().nativeUpdate(Licence, { id: licence?.id ?? "" }, { user: (await createCorporateUser(app)).id });
  const refunded = await refundUnused(invoiceId, 108_900, staffToken);
  expect(refunded).toMatchObject({ isToCard: false, licence: "END_NOW", amountCents: 108_900 });
  expect((await em().findOneOrFail(Licence, licence?.id ?? "")).revokedAt).not.toBeNull();
  const periods = await em().find(ServicePeriod, { licence: licence?.id ?? "" });
  expect(new Set(periods.map(({ endedOn }) => endedOn))).toEqual(new Set([getCalendarDay(app.clock.now())]));
});

test("suggests that a new licence ends whose service hasn't begun, also if it is older than its re-issued invoice", async () => {
  const customer = await createCorporateUser(app);
  const staffToken = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const firstDay = addDays(getCalendarDay(app.clock.now()), 10);
  const until = addDays(firstDay, 99);
  const lines = [{ description: "Corporate", quantity: 1, unitCents: 100_000, firstDay, lastDay: until }];
  const terms = { licenceId: undefined, productLevel: 14, numberOfUsers: 5, numberOfMachines: 5, until };
  const { id, taxInvoice } = await createOpenInvoice(app, customer, { lines, licence: terms });
  await recordPayment(app.context(), id, buildPayment(app), { key: "payment-of-later-1", expected: 110_000 });
  const createdAt = addMilliseconds(app.clock.now(), -DAY);
  await em().nativeUpdate(Licence, { user: customer.id }, { createdAt });
  const shown = await preview(taxInvoice?.id ?? "", staffToken);
  expect(shown).toMatchObject({ amountCents: 110_000, suggestedLicence: "END_NOW" });
});

test("suggests that a licence stays when the extension that is refunded hasn't begun", async () => {
  const customer = await createCorporateUser(app);
  const staffToken = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const yesterday = addMilliseconds(app.clock.now(), -DAY);
  const licence = await createLicence(app, customer, { productLevel: 14, createdAt: yesterday });
  const until = addDays(getCalendarDay(licence.expiresAt), 365);
  const terms = { licenceId: licence.id, productLevel: 14, numberOfUsers: 1, numberOfMachines: 1, until };
  const { id, taxInvoice } = await createOpenInvoice(app, customer, { licence: terms });
  await recordPayment(app.context(), id, buildPayment(app), { key: "payment-of-extension", expected: 110_000 });
  for (const given of [{}, { unusedTime: true }])
    expect(await preview(taxInvoice?.id ?? "", staffToken, given)).toMatchObject({
      amountCents: 110_000,
      licenceChoices: ["KEEP", "END_NOW"],
      suggestedLicence: "KEEP",
    });
});
