import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { formatDay } from "#schema/dates.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { CreditEntry } from "#api/billing/credits/credit-entry.entity.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { buildInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund } from "#tests/factories/refund.ts";
import { listLicenceEvents } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests, invoiceFields } from "./request-invoices.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const em = () => app.context().em;

const { send, create, issue, open, pay, cancel, addCredit, readCredit } = createInvoiceRequests(app, finance);
const getTaxInvoice = (id: string) => em().findOneOrFail(TaxInvoice, id);
const listSubjects = async (user: User) => (await listEmailsTo(app, user.email)).map(({ subject }) => subject);

const concurrent = { productLevel: 16, numberOfUsers: 5, numberOfMachines: 10 };
const concurrentInput = { ...concurrent, productLevel: "CORPORATE_DARK_CONCURRENT" };

test("a draft has amounts with GST, if in Australia, but no number, PDF or email, and is created once for a key", async () => {
  const user = await createCorporateUser(app);
  const key = randomUUID();
  const draft = await create(user, {}, key);
  const amounts = { gstCents: 10_000, totalCents: 110_000, balanceCents: 0 };
  expect(draft).toMatchObject({ status: "DRAFT", number: null, taxInvoiceId: null, dueAt: null, ...amounts });
  expect((await create(user, {}, key)).id).toBe(draft.id);
  const repeated = { userId: user.id.toUpperCase(), input: buildInvoice(), key };
  expect([await send("createInvoice { id }", repeated), await listSubjects(user)]).toEqual([{ id: draft.id }, []]);
  const abroad = await createUser(app, { country: "New Zealand" });
  expect(await create(abroad)).toMatchObject({ gstCents: 0, totalCents: 100_000 });
});

test("a draft can be changed, but not with an outdated revision", async () => {
  const draft = await create(await createUser(app));
  const input = buildInvoice({ lines: [{ description: "Less", quantity: 1, unitCents: 100 }] });
  const update = () => send(`updateInvoice ${invoiceFields}`, { id: draft.id, input, revision: 1 });
  expect(await update()).toMatchObject({ totalCents: 110, revision: 2 });
  await expect(update()).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(issue(draft)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("a draft disappears when it is discarded, and an issued invoice can't be discarded", async () => {
  const user = await createUser(app);
  const discard = (id: string) => send("discardInvoice { id }", { id });
  const draft = await create(user);
  expect(await discard(draft.id.toUpperCase())).toEqual({ id: draft.id });
  await expect(discard(draft.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const invoice = await open(user);
  await expect(discard(invoice.id)).rejects.toThrow(/so it can't be changed or discarded\. Void it instead\.$/);
  await cancel(invoice);
  await expect(discard(invoice.id)).rejects.toThrow(/so it can't be changed or discarded\.$/);
});

test("a draft is refused with wrong values, for an admin and for an archived user", async () => {
  const user = await createUser(app);
  const line = (description: string, quantity: number, unitCents: number) => [{ description, quantity, unitCents }];
  for (const changes of [
    { lines: [] },
    { lines: line("A", 0, 100) },
    { lines: line(" ", 1, 100) },
    { lines: line("A", 2, 99_000_000) },
    { lines: line("A", 1, 99_000_000) },
    { dueDay: "2026-02-30" },
    { licence: { ...concurrentInput, licenceId: randomUUID(), until: "2028-01-01" } },
    { licence: { ...concurrentInput, until: addDays(getCalendarDay(app.clock.now()), -1) } },
  ])
    await expect(create(user, changes), JSON.stringify(changes)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  for (const other of [await createAdmin(app), await createUser(app, { archivedAt: app.clock.now() })])
    await expect(create(other)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("issuing gives the next number once, a due date in 14 days and the bank account, and emails the PDF", async () => {
  const user = await createCorporateUser(app);
  const earlier = await open(user);
  const draft = await create(user);
  const invoice = await issue(draft);
  expect((await issue(draft)).number).toBe(invoice.number);
  expect(Number(invoice.number)).toBe(Number(earlier.number) + 1);
  expect(invoice).toMatchObject({ status: "OPEN", balanceCents: 110_000, purchaseOrder: "PO-2291" });
  expect(getCalendarDay(new Date(invoice.dueAt))).toBe(addDays(getCalendarDay(app.clock.now()), 14));
  expect(await getTaxInvoice(invoice.taxInvoiceId)).toMatchObject({
    paidAt: null,
    purchaseOrder: "PO-2291",
    totalCents: 110_000,
    lines: [{ quantity: 3, unitCents: 30_000, amountCents: 90_000 }, { amountCents: 10_000 }],
    seller: { bank: { bsb: "000-000" } },
  });
  const [mail] = await listEmailsTo(app, user.email);
  expect(mail?.subject).toBe(`Invoice ${invoice.number} from Planvarro Software`);
  expect(mail?.text).toContain("If something on the invoice needs to change, email sales@planvarro.example");
  for (const one of ["BSB: 000-000", `Reference: ${invoice.number}`]) expect(mail?.text).toContain(one);
  const dueDay = addDays(getCalendarDay(app.clock.now()), -1);
  expect(await open(user, { dueDay })).toMatchObject({ status: "OVERDUE", balanceCents: 110_000 });
});

test("a payment in part leaves a balance, and the rest pays the invoice and emails the receipt", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  const first = await pay(invoice, { amountCents: 40_000 });
  expect(first.invoice).toMatchObject({ status: "OPEN", balanceCents: 70_000 });
  const second = await pay(first.invoice, { amountCents: 69_999 });
  expect(second.invoice).toMatchObject({ status: "OPEN", balanceCents: 1 });
  const third = await pay(second.invoice, { amountCents: 1 });
  expect(third.invoice).toMatchObject({ status: "PAID", balanceCents: 0, paidCents: 110_000 });
  expect(await listSubjects(user)).toContain(`Receipt for invoice ${invoice.number} from Planvarro Software`);
});

test("a payment is recorded once for a key, refused for an outdated balance, and becomes credit above the balance", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  const key = randomUUID();
  const paid = await pay(invoice, { amountCents: 120_000 }, key);
  expect(paid).toMatchObject({ appliedCents: 110_000, creditCents: 10_000, invoice: { status: "PAID" } });
  const again = await pay(invoice, { amountCents: 120_000 }, key);
  expect([again.id, again.invoice.payments.length]).toEqual([paid.id, 1]);
  expect(await readCredit(user)).toBe(10_000);
  expect((await listSubjects(user)).filter((subject) => subject.startsWith("Receipt"))).toHaveLength(1);
  await expect(pay(invoice)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("a payment is refused for a date in the future, a draft and a void invoice", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  const tomorrow = addDays(getCalendarDay(app.clock.now()), 1);
  await expect(pay(invoice, { receivedDay: tomorrow })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await expect(pay(await create(user))).rejects.toMatchObject({ code: "CONFLICT" });
  await cancel(invoice);
  await expect(pay({ ...invoice, balanceCents: 0 })).rejects.toMatchObject({ code: "CONFLICT" });
  const preview = send("paymentPreview { creditCents }", { invoiceId: invoice.id, amountCents: 1_000 });
  await expect(preview).rejects.toThrow("This invoice is void. Add the amount as credit instead.");
});

test("a payment in full issues the licence of the invoice with its code in the receipt", async () => {
  const user = await createCorporateUser(app);
  const invoice = await open(user, { licence: { ...concurrentInput, until: "2028-06-30" } });
  expect(await em().count(Licence, { user: user.id })).toBe(0);
  const receivedDay = addDays(getCalendarDay(app.clock.now()), -2);
  const paid = await pay(invoice, { receivedDay });
  const licence = await em().findOneOrFail(Licence, { user: user.id });
  expect(paid.invoice.licenceId).toBe(licence.id);
  expect(licence).toMatchObject({ ...concurrent, licenceActivationType: 2, purchaseOrderNumber: "PO-2291" });
  expect(licence.expiresAt.toISOString()).toBe("2028-06-30T23:59:59.999Z");
  const receipt = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.startsWith("Receipt"));
  expect(receipt?.text).toContain(licence.licenceCode);
  expect(receipt?.text).toContain("Purchase order: PO-2291");
  expect(receipt?.text).toContain(`Paid: ${formatDay(receivedDay)}`);
});

test("a payment in full issues a concurrent licence of a concurrent level also for one seat", async () => {
  const user = await createCorporateUser(app);
  const one = { numberOfUsers: 1, numberOfMachines: 1 };
  await pay(await open(user, { licence: { ...concurrentInput, ...one, until: "2028-06-30" } }));
  const types = { licenceType: 3, licenceActivationType: 2 };
  expect(await em().findOneOrFail(Licence, { user: user.id })).toMatchObject({ ...one, ...types });
});

test("a payment in full issues a licence without emailing its code to an unconfirmed address", async () => {
  const user = await createUser(app, { emailConfirmedAt: null });
  await pay(await open(user, { licence: { ...concurrentInput, until: "2028-06-30" } }));
  const { licenceCode } = await em().findOneOrFail(Licence, { user: user.id });
  const receipt = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.startsWith("Receipt"));
  expect(receipt?.text).toContain("Confirm your email address to see its code in your account.");
  expect(receipt?.text).not.toContain(licenceCode);
});

test("a payment in full extends the chosen licence, which keeps its code, and never shortens it", async () => {
  const user = await createCorporateUser(app);
  const { id, licenceCode } = await createLicence(app, user, { productLevel: 14 });
  for (const until of ["2029-06-30", "2028-06-30"])
    await pay(await open(user, { licence: { ...concurrentInput, licenceId: id, until } }));
  expect(await em().find(Licence, { user: user.id })).toMatchObject([{ id, licenceCode, ...concurrent }]);
  expect((await em().findOneOrFail(Licence, id)).expiresAt.toISOString()).toBe("2029-06-30T23:59:59.999Z");
  // The same level and end with more seats.
  const licence = { ...concurrentInput, numberOfUsers: 6, licenceId: id, until: "2029-06-30" };
  await pay(await open(user, { licence }));
  expect(await listLicenceEvents(app, id)).toEqual(["extend", "change", "change"]);
});

test("a payment in full turns the chosen trial into a licence without a limit of conversions", async () => {
  const user = await createUser(app);
  const { id } = await createTrialLicence(app, user, { usageCount: 20, floatingHeartBeatIntervalMinutes: 0 });
  await pay(await open(user, { licence: { ...concurrentInput, licenceId: id, until: "2029-06-30" } }));
  const types = { licenceType: 3, licenceActivationType: 2, floatingHeartBeatIntervalMinutes: 15 };
  expect(await em().findOneOrFail(Licence, id)).toMatchObject({ ...concurrent, ...types, usageLimit: null });
});

test("sends any document again, once for a key, and a note names the purchase order of its invoice", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  const sendAgain = (taxInvoiceId: string, key: string) => send("sendInvoiceAgain { number }", { taxInvoiceId, key });
  const key = randomUUID();
  expect(await sendAgain(invoice.taxInvoiceId, key)).toEqual({ number: invoice.number });
  await sendAgain(invoice.taxInvoiceId, key);
  const { voidNoteNumber } = await cancel(invoice);
  const note = await em().findOneOrFail(TaxInvoice, { number: voidNoteNumber });
  expect(note.purchaseOrder).toBe("PO-2291");
  await sendAgain(note.id, randomUUID());
  const subjects = await listSubjects(user);
  expect(subjects.filter((subject) => subject.includes(invoice.number))).toHaveLength(3);
  expect(subjects.filter((subject) => subject.includes(voidNoteNumber))).toHaveLength(1);
});

test("voiding issues an adjustment note over the total, and what was paid becomes credit", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  await pay(invoice, { amountCents: 30_000 });
  const cancelled = await cancel(invoice);
  expect(cancelled).toMatchObject({ status: "VOID", balanceCents: 0, voidNoteNumber: expect.stringMatching(/^A-/) });
  const note = await em().findOneOrFail(TaxInvoice, { number: cancelled.voidNoteNumber });
  expect(note).toMatchObject({ totalCents: -110_000, gstCents: -10_000, adjusts: { id: invoice.taxInvoiceId } });
  expect(await readCredit(user)).toBe(30_000);
  expect(await listSubjects(user)).toContain(`Invoice ${invoice.number} from Planvarro Software was cancelled`);
  const actions = (await listAuditEntries(app, invoice.id)).map(({ action }) => action).toSorted();
  expect(actions.join(" ")).toBe("create-invoice issue-invoice record-payment void-invoice");
});

test("voiding happens once, and not for a draft or a paid invoice", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  expect((await cancel(invoice)).voidNoteNumber).toBe((await cancel(invoice)).voidNoteNumber);
  await expect(cancel(await create(user))).rejects.toMatchObject({ code: "CONFLICT" });
  const other = await open(user);
  await pay(other);
  await expect(cancel(other)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("credit is added once, shown to the customer and applied to the next invoices", async () => {
  const user = await createCorporateUser(app);
  const key = randomUUID();
  const { id } = await addCredit(user, 150_000, key);
  const input = { amountCents: 150_000, reason: "Sorry for the outage", isPaid: true };
  const repeated = { userId: user.id.toUpperCase(), input, key };
  expect(await send("addCredit { id }", repeated)).toEqual({ id });
  const own = await send("myCredit { balanceCents entries { reason } }", {}, await signInAs(app, user));
  expect(own).toEqual({ balanceCents: 150_000, entries: [{ reason: "Sorry for the outage" }] });
  const first = await open(user);
  expect(first).toMatchObject({ status: "PAID", creditCents: 110_000, balanceCents: 0 });
  await expect(cancel(first)).rejects.toThrow("Refund the payment instead");
  const second = await open(user);
  expect(second).toMatchObject({ status: "OPEN", creditCents: 40_000, balanceCents: 70_000 });
  expect(await getTaxInvoice(second.taxInvoiceId)).toMatchObject({ totalCents: 110_000, creditCents: 40_000 });
  expect(await readCredit(user)).toBe(0);
  await cancel(second);
  expect(await readCredit(user)).toBe(40_000);
  const entries = await em().find(CreditEntry, { user: user.id }, { orderBy: { createdAt: "asc", id: "asc" } });
  expect(entries.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual([
    -110_000, -40_000, 40_000, 150_000,
  ]);
});

test("credit reduces, as goodwill, the price and its GST before paid credit pays the rest", async () => {
  const user = await createCorporateUser(app);
  await addCredit(user, 15_000, randomUUID(), false);
  await addCredit(user, 20_000);
  const invoice = await open(user);
  expect(invoice).toMatchObject({ totalCents: 95_000, gstCents: 8_636, creditCents: 20_000, balanceCents: 75_000 });
  const amounts = { amountCents: 100_000, discountCents: 13_636, gstCents: 8_636, totalCents: 95_000 };
  expect(await getTaxInvoice(invoice.taxInvoiceId)).toMatchObject({ ...amounts, creditCents: 20_000 });
  await cancel(invoice);
  const own = await send("myCredit { balanceCents goodwillCents }", {}, await signInAs(app, user));
  expect(own).toEqual({ balanceCents: 35_000, goodwillCents: 15_000 });
});

test("credit can reduce the price of an invoice to nothing, so that it has no GST", async () => {
  const user = await createCorporateUser(app);
  await addCredit(user, 150_000, randomUUID(), false);
  const invoice = await open(user, { licence: { ...concurrentInput, until: "2029-06-30" } });
  expect(invoice).toMatchObject({ status: "PAID", totalCents: 0, gstCents: 0, creditCents: 0 });
  expect([await em().count(Licence, { user: user.id }), await readCredit(user)]).toEqual([1, 40_000]);
  for (const { text } of await listEmailsTo(app, user.email)) {
    expect(text).toContain("there is nothing to pay");
    expect(text).not.toMatch(/Thank you|Due date|Paid:/);
  }
  await expect(cancel(invoice)).rejects.toThrow("was settled without a payment");
});

test("credit that paid an invoice, or a part of it, is refunded with an adjustment note like a bank payment", async () => {
  const user = await createCorporateUser(app);
  await addCredit(user, 150_000);
  const [whole, mixed] = [await open(user), await open(user)];
  await pay(mixed);
  const adjustmentNote = { totalCents: -110_000, gstCents: -10_000 };
  const refund = ({ taxInvoiceId: invoiceId }: { taxInvoiceId: string }) =>
    send("refundInvoice { status isToCard adjustmentNote { totalCents gstCents } }", { input: buildRefund(invoiceId) });
  for (const invoice of [whole, mixed])
    expect(await refund(invoice)).toEqual({ status: "DONE", isToCard: false, adjustmentNote });
  await expect(refund(whole)).rejects.toThrow("has already been refunded in full");
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
});
