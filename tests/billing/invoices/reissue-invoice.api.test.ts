import { extractText } from "unpdf";
import { expect, test } from "vitest";
import { renderInvoiceAttachment } from "#api/billing/invoices/invoice-file.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { postingsSql } from "#api/billing/journal/journal-sql.ts";
import { readMoneyMonths } from "#api/billing/revenue/read-money.ts";
import { readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { buildRefund, createPaidInvoice, refundMutation } from "#tests/factories/refund.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "./request-invoices.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const em = () => app.context().em;
const { send, create, open, pay, cancel, addCredit } = createInvoiceRequests(app, finance);

const place = { city: "Brisbane", state: "QLD", postCode: "4000", country: "Australia" };
const address = { streetNumber: "3", streetName: "Albert Street", ...place };
const buyer = { companyName: "Rail Works Holdings", abn: "51824753556", ...address };
const reissue = (taxInvoiceId: string, changes: object = {}) => {
  const reason = "Bought by the parent company";
  return send("reissueInvoice { id number }", { taxInvoiceId, buyer: { ...buyer, ...changes }, reason });
};
const findNote = (adjusts: string) => em().findOneOrFail(TaxInvoice, { adjusts });
const listRows = async ({ id: userId }: User) => {
  const variables = { filter: { userId }, order: { by: "NUMBER", descending: false } };
  return (await send("invoices { rows { number status replacesNumber replacedByNumber balanceCents } }", variables))
    .rows;
};

/** Returns what both bases, the revenue report and the provider's cash say about all days. */
async function readFigures() {
  const context = app.context();
  const now = app.clock.now();
  const days = { startDate: addMilliseconds(now, -400 * DAY), endDate: addMilliseconds(now, DAY) };
  const [cash, accrual] = await Promise.all(
    (["cash", "accrual"] as const).map((basis) => readTaxSummary(context, { basis, ...days })),
  );
  const net = accrual?.find(({ name }) => name === "net-gst")?.cents;
  const today = getCalendarDay(now);
  const money = await readMoneyMonths(context, { startDate: addDays(today, -400), endDate: today });
  return { cash, net, money };
}

test("cancels an invoice paid by card with a note, and replaces it without moving money or revenue", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const before = await readFigures();
  const { id, number } = await reissue(invoiceId);
  const first = await em().findOneOrFail(TaxInvoice, invoiceId);
  expect(await em().findOneOrFail(TaxInvoice, id, { populate: ["replaces"] })).toMatchObject({
    number,
    replaces: { id: invoiceId },
    totalCents: first.totalCents,
    gstCents: first.gstCents,
    lines: first.lines,
    paidAt: first.paidAt,
    buyer: {
      name: "Rail Works Holdings",
      contact: `${user.firstName} ${user.lastName}`,
      abn: "51 824 753 556",
      address: ["3 Albert Street", "Brisbane QLD 4000", "Australia"],
    },
  });
  const note = await findNote(invoiceId);
  expect(note).toMatchObject({
    totalCents: -first.totalCents,
    gstCents: 0 - first.gstCents,
    paidAt: null,
    description: `Tax invoice ${first.number} was re-issued as ${number}`,
  });
  expect([await readFigures(), (await app.services.pool.query(findBookDifferencesSql)).rows]).toEqual([before, []]);
  expect(await listRows(user)).toEqual([
    { number: first.number, status: "VOID", replacesNumber: null, replacedByNumber: number, balanceCents: 0 },
    { number, status: "PAID", replacesNumber: first.number, replacedByNumber: null, balanceCents: 0 },
    { number: note.number, status: "VOID", replacesNumber: null, replacedByNumber: number, balanceCents: 0 },
  ]);
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes(number))).toHaveLength(1);
  expect(subjects.filter((subject) => subject.includes(note.number))).toHaveLength(1);

  const refund = (id: string) => app.call(refundMutation, { input: buildRefund(id) }, staffToken);
  const message = `Invoice ${first.number} was re-issued as ${number}. Refund that one instead.`;
  await expect(refund(invoiceId)).rejects.toThrow(message);
  expect(await refund(id)).toMatchObject({ status: "DONE", isToCard: true, amountCents: first.totalCents });
  expect((await findNote(id)).totalCents).toBe(-first.totalCents);
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
});

test("keeps the balance, credit, licence and due date of an invoice by hand, and its later payments", async () => {
  const user = await createCorporateUser(app);
  await addCredit(user, 20_000);
  const invoice = await open(user, {
    licence: { productLevel: "CORPORATE_DARK_CONCURRENT", numberOfUsers: 5, numberOfMachines: 5, until: "2029-06-30" },
  });
  await pay(invoice, { amountCents: 30_000 });
  const before = await readFigures();
  const { id, number } = await reissue(invoice.taxInvoiceId);
  expect(await readFigures()).toEqual(before);
  const manual = await em().findOneOrFail(ManualInvoice, invoice.id, { populate: ["taxInvoice"] });
  expect(manual.taxInvoice).toMatchObject({ id, number, creditCents: 20_000, purchaseOrder: "PO-2291" });
  expect(manual.taxInvoice?.dueAt?.toISOString()).toBe(invoice.dueAt);
  const mails = await listEmailsTo(app, user.email);
  const mail = mails.find(({ subject }) => subject.startsWith(`Your tax invoice ${number} `));
  const due = `Due date: ${formatSellerDate(invoice.dueAt)}`;
  for (const words of ["Credit applied: A$200.00", "Already paid: A$300.00", "Amount due: A$600.00", due])
    expect(mail?.text).toContain(words);
  const paid = await pay({ id: invoice.id, balanceCents: 60_000 }, { amountCents: 60_000 });
  expect(paid.invoice).toMatchObject({ status: "PAID", number });
  expect(paid.invoice.licenceId).not.toBeNull();
  // The document stays as it was issued.
  const attachment = { kind: "tax-invoice", invoiceId: id, filename: "" } as const;
  const { content } = await renderInvoiceAttachment(app.context(), attachment);
  const { text } = await extractText(new Uint8Array(content), { mergePages: true });
  for (const words of ["Already paid −$300.00", "Amount due (AUD) $600.00"]) expect(text).toContain(words);
  const sql = `select event, number, cents from (${postingsSql}) p where user_id = $1 and account = 'receivable' and event <> 'Document'
      order by event, cents desc`;
  const { rows } = await app.services.pool.query(sql, [user.id]);
  // What was recorded before the re-issue keeps its number.
  expect(rows.map(({ event, number: of, cents }) => [event, of, cents])).toEqual([
    ["Credit used", invoice.number, -20_000],
    ["Payment", invoice.number, -30_000],
    ["Payment", number, -60_000],
  ]);
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
  const entries = await listAuditEntries(app, invoice.id);
  expect(entries.find(({ action }) => action === "reissue-invoice")).toMatchObject({
    after: { taxInvoice: number, buyer: "Rail Works Holdings", reason: "Bought by the parent company" },
  });
});

test("can be repeated, returns the same invoice, and re-issues the new one to a third buyer", async () => {
  const user = await createCorporateUser(app);
  const { taxInvoiceId } = await open(user);
  const second = await reissue(taxInvoiceId);
  expect(await reissue(taxInvoiceId)).toEqual(second);
  await expect(reissue(taxInvoiceId, { companyName: "Third" })).rejects.toMatchObject({ code: "CONFLICT" });
  await reissue(second.id, { companyName: "Third" });
  const statuses = (await listRows(user)).map(({ status }: { status: string }) => status);
  expect(statuses.join(" ")).toBe("VOID VOID OPEN VOID VOID");
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
});

test("is refused where it makes no sense, with the reason", async () => {
  const user = await createUser(app);
  const invoice = await open(user);
  const refusals: [id: string, changes: object, expected: object][] = [
    [invoice.taxInvoiceId, { country: "New Zealand", state: "Otago" }, { code: "BAD_USER_INPUT" }],
    [invoice.taxInvoiceId, { abn: "51824753557" }, { code: "BAD_USER_INPUT" }],
    [(await create(user)).id, {}, { code: "NOT_FOUND" }],
  ];
  const voided = await open(user);
  await cancel(voided);
  const note = await findNote(voided.taxInvoiceId);
  refusals.push(
    [voided.taxInvoiceId, {}, { code: "CONFLICT", message: expect.stringContaining(note.number) }],
    [note.id, {}, { message: "An adjustment note can't be re-issued. Re-issue its invoice instead." }],
  );
  for (const [id, changes, expected] of refusals) await expect(reissue(id, changes)).rejects.toMatchObject(expected);
  const same = await reissue(invoice.taxInvoiceId);
  await expect(reissue(same.id)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await em().nativeUpdate(User, { id: user.id }, { archivedAt: app.clock.now() });
  await expect(reissue(same.id, { companyName: "Other" })).rejects.toMatchObject({
    message: "This user is archived. Restore the user first, then try again.",
  });
});
