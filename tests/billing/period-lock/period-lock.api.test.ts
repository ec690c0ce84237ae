import { expect, test } from "vitest";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/billing/invoices/issue-tax-invoice.ts";
import { lockMonth } from "#api/billing/period-lock/period-lock.resolver.ts";
import { endServicePeriods } from "#api/billing/revenue/service-periods.ts";
import { ServicePeriod } from "#api/billing/revenue/service-period.entity.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { createTaxInvoice, professionalMonth } from "#tests/factories/invoice.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp({ rateLimits: false });
const admin = await createAdmin(app, { staffRoles: ["finance"], firstName: "Ada", lastName: "Bell" });
const { send, open, pay } = createInvoiceRequests(app, await signInAs(app, admin));

const thisMonth = getCalendarDay(app.clock.now()).slice(0, 7);
const lastDay = addDays(`${thisMonth}-01`, -1);
const lastMonth = lastDay.slice(0, 7);
const firstOpenTime = getStartOfDay(`${thisMonth}-01`);
const change = (mutation: "lockMonth" | "reopenMonth", month: string, reason = "BAS lodged") =>
  send(`${mutation} { lockedThrough reason changedBy }`, { month, reason });
const em = () => app.context().em.fork() as EntityManager;

test("locks a month that has ended, with a reason, once, and reopens it", async () => {
  await expect(change("lockMonth", thisMonth)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await expect(change("lockMonth", lastMonth, "")).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await expect(change("reopenMonth", lastMonth)).rejects.toMatchObject({ code: "CONFLICT" });
  const locked = { lockedThrough: lastDay, reason: "BAS lodged", changedBy: "Ada Bell" };
  expect(await change("lockMonth", lastMonth)).toEqual(locked);
  expect(await change("lockMonth", lastMonth, "Again")).toEqual(locked);
  expect(await send("periodLock { lockedThrough }", {})).toEqual({ lockedThrough: lastDay });
  await expect(change("reopenMonth", lastMonth, " ")).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  const earlier = addDays(`${lastMonth}-01`, -1);
  expect(await change("reopenMonth", lastMonth, "Late receipt")).toMatchObject({ lockedThrough: earlier });
  expect((await listAuditEntries(app, lastMonth)).map(({ action, after }) => [action, after?.reason])).toEqual([
    ["lock-month", "BAS lodged"],
    ["reopen-month", "Late receipt"],
  ]);
});

test("refuses a payment that staff date in a locked month, and accepts it after the month was reopened", async () => {
  const invoice = await open(await createCorporateUser(app));
  await change("lockMonth", lastMonth);
  await expect(pay(invoice, { receivedDay: lastDay })).rejects.toMatchObject({
    code: "BAD_USER_INPUT",
    fields: { receivedDay: [expect.stringMatching(/^The accounts are locked through .* Enter a later day/)] },
  });
  await change("reopenMonth", lastMonth);
  expect((await pay(invoice, { receivedDay: lastDay })).invoice.status).toBe("PAID");
});

test("dates what the payment provider reports late on the first open day", async () => {
  await change("lockMonth", lastMonth);
  const user = await createUser(app);
  const at = getStartOfDay(lastDay);
  const invoice = await createTaxInvoice(app, user, { issuedAt: at, paidAt: at, providerInvoiceId: "in_late" });
  expect(invoice).toMatchObject({ issuedAt: firstOpenTime, paidAt: firstOpenTime });
  const refund = { invoiceId: invoice.id, issuedAt: at, refundedAt: at, refundedCents: 100 };
  const note = await issueAdjustmentNote(app.context(), em(), refund);
  expect(note).toMatchObject({ issuedAt: firstOpenTime, paidAt: firstOpenTime });
  const periods = await em().find(ServicePeriod, { document: { $in: [invoice.id, note.id] } });
  expect(periods.map(({ bookedOn }) => bookedOn)).toEqual([`${thisMonth}-01`, `${thisMonth}-01`]);

  const licence = await createLicence(app, user);
  const tx = em();
  const document = invoice.id;
  await tx.nativeUpdate(ServicePeriod, { document }, { licence: licence.id, lastDay: addDays(lastDay, 20) });
  await endServicePeriods(tx, { licenceIds: [licence.id] }, at);
  expect((await em().findOneOrFail(ServicePeriod, { document })).endedOn).toBe(`${thisMonth}-01`);
});

test("waits for a transaction that writes money before it locks the month", async () => {
  await change("reopenMonth", lastMonth).catch(() => null);
  const user = await createUser(app);
  const at = getStartOfDay(lastDay);
  const order: string[] = [];
  let locking: Promise<unknown> = Promise.resolve();
  const invoice = await em().transactional(async (tx) => {
    const values = professionalMonth(app, user, { issuedAt: at, paidAt: at, providerInvoiceId: "in_running" });
    const issued = await issueTaxInvoice(app.context(), tx as EntityManager, values);
    locking = lockMonth(app.context(), { month: lastMonth, reason: "BAS lodged" }).then(() => order.push("locked"));
    await waitForLock(app);
    order.push("issued");
    return issued;
  });
  await locking;
  expect([order, invoice.issuedAt]).toEqual([["issued", "locked"], at]);
});
