import { expect, test } from "vitest";
import { inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/billing/invoices/issue-tax-invoice.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createTaxInvoice, professionalMonth } from "#tests/factories/invoice.ts";
import { createUser, createCorporateUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { readConfig } from "#api/config.ts";
import { sendInvoiceReminders } from "#api/billing/invoices/send-invoice-reminders.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const em = () => app.context().em;
const getNumber = (invoice: TaxInvoice) => Number(invoice.number.replace("A-", ""));

const refund = ({ id: invoiceId }: TaxInvoice, refundedCents: number, providerRefundId: string | null = null) =>
  issueAdjustmentNote(app.context(), em(), { invoiceId, refundedAt: app.clock.now(), refundedCents, providerRefundId });

test("issueTaxInvoice stores the number, amounts, seller and buyer at the time of issue", async () => {
  const user = await createUser(app, { companyName: "Analytical Planning", abn: "53 004 085 616", unitNumber: "4" });
  const { id } = await createTaxInvoice(app, user, { providerInvoiceId: "in_1" });
  expect(await em().findOneOrFail(TaxInvoice, id)).toMatchObject({
    number: "100001",
    kind: "invoice",
    providerInvoiceId: "in_1",
    planPrice: "xer-professional-monthly",
    lines: [{ description: "Professional, monthly subscription", amountCents: 14_995 }],
    amountCents: 14_995,
    discountCents: 0,
    gstCents: 1_500,
    gstBasisPoints: 1_000,
    totalCents: 16_495,
    currency: "AUD",
    seller: { name: "Planvarro Sample Pty Ltd", abn: "89 000 000 019", email: "sales@planvarro.example" },
    buyer: {
      name: "Analytical Planning",
      contact: "Ada Byron",
      abn: "53 004 085 616",
      address: ["Unit 4, 12 Eagle Street", "Brisbane QLD 4000", "Australia"],
    },
  });
  const { buyer } = await createTaxInvoice(app, await createUser(app, { companyName: "" }));
  expect(buyer).toMatchObject({ name: "Ada Byron", contact: null, abn: null });
});

test("issueTaxInvoice issues one tax invoice per provider invoice, and wastes no number on a rollback or wrong amounts", async () => {
  const user = await createUser(app);
  const first = await createTaxInvoice(app, user, { providerInvoiceId: "in_twice" });
  const second = await createTaxInvoice(app, user, { providerInvoiceId: "in_twice" });
  expect([second.id, second.number]).toEqual([first.id, first.number]);
  const failing = em().transactional(async (tx) => {
    await issueTaxInvoice(app.context(), tx, professionalMonth(app, user));
    throw new Error("the payment failed after all");
  });
  await failing.catch(() => {});
  for (const wrong of [
    // The total differs from the sum.
    { totalCents: 16_494 },
    // The GST has another rate, or none.
    { gstCents: 1_400, totalCents: 16_395 },
    { gstBasisPoints: 0 },
    // The discount is above the amount, or negative.
    { discountCents: 15_000, gstCents: 0, totalCents: -5 },
    { discountCents: -5, gstCents: 1_500, totalCents: 16_500 },
    // There are half cents, no lines, or lines with a negative sum.
    { gstCents: 1_499.5, totalCents: 16_494.5 },
    { lines: [], gstCents: 0, totalCents: 0 },
    { lines: [{ description: "Credit", amountCents: -100 }], gstCents: -10, totalCents: -110 },
  ])
    await expect(createTaxInvoice(app, user, wrong), JSON.stringify(wrong)).rejects.toThrow(
      "The amounts of the tax invoice do not add up",
    );
  // A credit for unused time is a negative line.
  const lines = [-4_995, 142_400].map((amountCents) => ({ description: "Professional", amountCents }));
  const changed = await createTaxInvoice(app, user, { lines, gstCents: 13_741, totalCents: 151_146 });
  expect([getNumber(changed), changed.amountCents]).toEqual([getNumber(first) + 1, 137_405]);
});

test("issueTaxInvoice keeps an issued invoice unchanged after profile updates and rejects manual changes", async () => {
  const user = await createUser(app);
  const { id } = await createTaxInvoice(app, user);
  await em().nativeUpdate(User, { id: user.id }, { companyName: "Renamed", abn: "51 824 753 556", city: "Cairns" });
  expect((await em().findOneOrFail(TaxInvoice, id)).buyer.name).toBe("Analytical Planning");
  for (const statement of [
    "update tax_invoices set total_cents = 1 where id = $1",
    "delete from tax_invoices where id = $1",
  ])
    await expect(query(em(), statement, [id])).rejects.toThrow("A tax invoice stays as it was issued.");
});

test("issueAdjustmentNote reverses a full invoice with its GST, if it has any, numbered in a separate series", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  const note = await refund(invoice, 16_495, "re_1");
  expect(note).toMatchObject({
    kind: "adjustment",
    number: expect.stringMatching(/^A-1\d{5}$/),
    description: `Refund of tax invoice ${invoice.number}`,
    amountCents: -14_995,
    gstCents: -1_500,
    totalCents: -16_495,
    buyer: invoice.buyer,
    cardLast4: "4242",
  });
  expect(note.adjusts?.number).toBe(invoice.number);
  expect((await refund(invoice, 16_495, "re_1")).id).toBe(note.id);
  const values = { gstBasisPoints: 0, gstCents: 0, totalCents: 14_995 };
  const abroad = await createTaxInvoice(app, await createUser(app, { country: "New Zealand" }), values);
  expect(await refund(abroad, 14_995)).toMatchObject({ gstCents: 0, totalCents: -14_995 });
});

test("issueAdjustmentNote reverses the exact GST across several partial refunds", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  const notes = [];
  for (const cents of [3_338, 3_338, 3_338, 6_481]) notes.push(await refund(invoice, cents));
  expect(notes.reduce((sum, note) => sum + note.gstCents, 0)).toBe(-1_500);
  expect(notes.reduce((sum, note) => sum + note.totalCents, 0)).toBe(-16_495);
  for (const note of notes) expect(note.amountCents + note.gstCents).toBe(note.totalCents);
  const lines = [{ description: "A day", amountCents: 20 }];
  const small = await createTaxInvoice(app, await createUser(app), { lines, gstCents: 2, totalCents: 22 });
  const amounts = [];
  for (const cents of [5, 5, 5, 5, 1, 1]) amounts.push((await refund(small, cents)).amountCents);
  // Never more than the price without GST.
  expect(amounts).toEqual([-5, -5, -5, -5, 0, 0]);
});

test("issueAdjustmentNote rejects a refund above the remaining amount, of no or half cents, and of an adjustment note", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  for (const cents of [0, -1, 0.5, 16_496])
    await expect(refund(invoice, cents)).rejects.toThrow("no more than the remaining amount");
  const note = await refund(invoice, 16_000);
  await expect(refund(invoice, 496)).rejects.toThrow("no more than the remaining amount");
  await expect(refund(note, 1)).rejects.toThrow();
});

const other = await openSecondProcess(app);
const dueIn = (days: number) => addDays(getCalendarDay(app.clock.now()), days);

/** Creates a customer with an open invoice that is due in `days` days. */
async function createDue(days: number) {
  const user = await createCorporateUser(app);
  return { user, invoice: await createOpenInvoice(app, user, { dueDay: dueIn(days) }) };
}

/** Runs the sweep in both processes `days` days from now, and returns the subjects of the reminders. */
async function remindAfter(user: User, days: number): Promise<string[]> {
  app.clock.setOffset(days * DAY);
  try {
    await Promise.all([app.services, other].map((services) => sendInvoiceReminders.run(createContext(services))));
  } finally {
    app.clock.setOffset(0);
  }
  const emails = await listEmailsTo(app, user.email);
  return emails.map(({ subject }) => subject).filter((subject) => / (is|was) due /.test(subject));
}

test("reminds a customer once 3 days before, on the due date, and 7 and 14 days after it", async () => {
  const { user } = await createDue(10);
  const counts: number[] = [];
  for (const day of [1, 6, 7, 8, 10, 11, 17, 18, 24, 25, 60]) counts.push((await remindAfter(user, day)).length);
  expect(counts).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]);
});

test("sends only the latest reminder after an outage, and none that is too late", async () => {
  for (const [days, reminders] of [
    [18, [expect.stringMatching(/^Invoice \d+ was due on/)]],
    [22, []],
    [12, [expect.stringContaining(" was due on ")]],
  ] as const)
    expect([days, await remindAfter((await createDue(10)).user, days)]).toEqual([days, reminders]);
});

test("sends the other reminders if one fails", async () => {
  const { id } = (await createDue(9)).invoice;
  const { user } = await createDue(10);
  const sql = `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
     create trigger refuse before update on manual_invoices for each row when (old.id = '${id}') execute function refuse()`;
  await app.services.pool.query(sql);
  expect(await remindAfter(user, 10)).toHaveLength(1);
  await app.services.pool.query("drop function refuse cascade");
});

test("sends no reminder for a day before the invoice was issued, or for a void invoice", async () => {
  const { user } = await createDue(1);
  expect(await remindAfter(user, 0)).toEqual([]);
  expect(await remindAfter(user, 1)).toHaveLength(1);
  const cancelled = await createDue(1);
  const { id, totalCents } = cancelled.invoice;
  const cancel = (expected?: number) => voidInvoice(app.context(), id, "Wrong customer", expected);
  // A payment that its staff haven't seen would become credit.
  await expect(cancel(totalCents - 1)).rejects.toMatchObject({ code: "CONFLICT" });
  await cancel(totalCents);
  expect(await remindAfter(cancelled.user, 1)).toEqual([]);
});

test("sends no reminder to an account that is closed at the same moment", async () => {
  const { user } = await createDue(10);
  const { reminders } = await inTransaction(app.context(), async (tx) => {
    const owner = await lockRow(tx, User, user.id);
    const reminders = remindAfter(user, 10);
    await waitForLock(app);
    owner.archivedAt = app.clock.now();
    return { reminders };
  });
  expect(await reminders).toEqual([]);
});

test("reads the days from a setting", () => {
  const read = (days?: string) =>
    readConfig({ NODE_ENV: "test", ...(days === undefined ? {} : { INVOICE_REMINDER_DAYS: days }) })
      .invoiceReminderDays;
  expect(read()).toEqual([-3, 0, 7, 14]);
  expect(read("30, -1")).toEqual([-1, 30]);
  expect(read("")).toEqual([]);
  expect(() => read("soon")).toThrow("INVOICE_REMINDER_DAYS");
});
