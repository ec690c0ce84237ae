import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test, vi } from "vitest";
import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { listMoneyEntries, readMoneyMonths } from "#api/billing/revenue/read-money.ts";
import { readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { from0096 } from "#api/migrations/from-0096.ts";
import { existingEntriesSql } from "#api/migrations/from-0155.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { AppError } from "#api/platform/errors.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, refundMutation } from "#tests/factories/refund.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { loadSubscription, postSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { balances, goTo as moveTo, january, sumAccounts, toCents, year } from "#tests/billing/revenue/month.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();
const { run } = openSubscriptionActions(app);
const goTo = (day: string) => moveTo(app, day);

async function subscribe(productId: string, changes: Partial<User> = {}): Promise<User> {
  const user = await createUser(app, changes);
  expect((await postSubscription(app, await signInAs(app, user), { productId })).status).toBe(200);
  return user;
}

/** Writes the month of the table below. */
beforeAll(async () => {
  const admin = await createAdmin(app, { staffRoles: ["finance"] });
  const signInStaff = () => signInAs(app, admin);
  const refund = async (user: User, changes: object) => {
    const { rows } = await app.services.pool.query("select id from tax_invoices where user_id = $1", [user.id]);
    const input = buildRefund(rows[0].id, { ...changes });
    expect(await app.call(refundMutation, { input }, await signInStaff())).toMatchObject({ status: "DONE" });
  };
  const act = async (user: User, kind: string, changes: object = {}) => {
    const { subscription } = await loadSubscription(app, user.id);
    const { data } = await run(subscription.id, kind, await signInStaff(), { ...changes });
    expect(data.runSubscriptionAction.status).toBe("DONE");
  };
  await goTo(`${year}-01-01`);
  const refunded = await subscribe("xer-professional-monthly");
  await goTo(`${year}-01-02`);
  const paused = await subscribe("xer-professional-monthly");
  await goTo(`${year}-01-03`);
  const upgraded = await subscribe("xer-standard-monthly");
  await goTo(`${year}-01-05`);
  const cancelled = await subscribe("xer-plus-monthly");
  await goTo(`${year}-01-06`);
  const ended = await subscribe("xer-professional-yearly");
  await goTo(`${year}-01-10`);
  await act(cancelled, "CANCEL_NOW");
  await goTo(`${year}-01-11`);
  await refund(refunded, { amountCents: 1_650, licence: "KEEP" });
  await act(refunded, "CANCEL_AT_PERIOD_END");
  await goTo(`${year}-01-12`);
  await act(paused, "PAUSE", { pauseUntil: `${year}-02-11` });
  await goTo(`${year}-01-15`);
  await refund(ended, { amountCents: 110_000, licence: "END_NOW" });
  await goTo(`${year}-01-17`);
  const upgrade = { token: await signInAs(app, upgraded) };
  expect(
    (await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", upgrade)).status,
  ).toBe(200);
  await goTo(`${year}-01-20`);
  const corporate = await createCorporateUser(app);
  await addCredit(app.context(), corporate.id, { amountCents: 15_000, reason: "Sorry" }, randomUUID());
  const days = { firstDay: `${year}-01-20`, lastDay: `${year + 1}-01-19` };
  await createOpenInvoice(app, corporate, {
    lines: [{ description: "A year of Corporate Dark", quantity: 1, unitCents: 650_000, ...days }],
  });
  await goTo(`${year}-01-21`);
  await subscribe("xer-professional-monthly", { country: "New Zealand", city: "Wellington" });
  await goTo(`${year}-01-25`);
  await payOpen(400_000, `${year}-01-25`, 700_000);
  await goTo(`${year}-02-01`);
}, 120_000);

/*
 * By hand, in cents without GST:
 *
 * | Event                                                         | Invoiced            | Earned in January        |
 * |---------------------------------------------------------------|---------------------|--------------------------|
 * | 1 Jan  Professional, 31 days to 31 Jan                        | 14,995              | 14,995                   |
 * | 11 Jan A$16.50 of it is refunded, and the licence stays       | −1,500              | −1,500                   |
 * | 2 Jan  Professional, 31 days; 11 of them before the pause     | 14,995              | 14,995 × 11/31 = 5,321   |
 * | 3 Jan  Standard, 31 days to 2 Feb; 29 of them in January      | 7,495               | 7,495 × 29/31 = 7,011    |
 * | 17 Jan Upgrade: 17 of 31 days of Standard are credited        | −4,110              | (8,223 − 4,110) × 15/17  |
 * |        and 17 of 31 days of Professional charged              | 8,223               | = 3,629                  |
 * | 5 Jan  Plus+, cancelled immediately on 10 Jan                 | 11,245              | 11,245                   |
 * | 6 Jan  Professional, a year; ended on 15 Jan                  | 142,400             | 142,400                  |
 * | 15 Jan with a refund of A$1,100.00                            | −100,000            | −100,000                 |
 * | 20 Jan A year by hand, A$6,500.00 less A$150.00 of goodwill   | 636,364             | × 12/365 = 20,922        |
 * | 21 Jan Professional abroad, 31 days; 11 of them in January    | 14,995              | 14,995 × 11/31 = 5,321   |
 * | Sum                                                           | 745,102             | 109,344                  |
 */
test("earns, defers and collects to the cent what a bookkeeper calculates by hand", async () => {
  const [month] = await readMoneyMonths(app.context(), january);
  expect(month).toMatchObject({
    ...january,
    isForecast: false,
    invoiced: 745_102,
    revenue: 109_344,
    deferred: 635_758,
    collected: 629_764,
    refunded: -111_650,
    failed: 0,
    recovered: 0,
  });
});

test("reports GST to the cent, and the form in whole dollars", async () => {
  const days = { startDate: getStartOfDay(january.startDate), endDate: getEndOfDay(january.endDate) };
  const read = async (basis: "accrual" | "cash") =>
    (await readTaxSummary(app.context(), { basis, ...days })).map(({ name, cents, dollars }) => [name, cents, dollars]);
  expect(await read("accrual")).toEqual([
    ["total-sales", 929_764, 9_297],
    ["gst-free", 14_995, 149],
    ["gst-on-sales", 83_162, 831],
    ["adjustments", -111_650, null],
    ["gst-on-adjustments", 10_150, 101],
    ["net-gst", 73_012, 730],
  ]);
  // A$4,000.00 of the A$7,000.00 were paid, and goodwill isn't money.
  expect(await read("cash")).toEqual([
    ["total-sales", 629_764, 6_297],
    ["gst-free", 14_995, 149],
    ["gst-on-sales", 55_889, 558],
    ["adjustments", -111_650, null],
    ["gst-on-adjustments", 10_150, 101],
    ["net-gst", 45_739, 457],
  ]);
});

test("forecasts what issued invoices will earn after today, and earns nothing during the pause", async () => {
  const spans = await readMoneyMonths(app.context(), { startDate: `${year}-01-01`, endDate: `${year}-03-31` });
  expect(spans.map(({ startDate, endDate, isForecast }) => [startDate, endDate, isForecast])).toEqual([
    [`${year}-01-01`, `${year}-01-31`, false],
    [`${year}-02-01`, `${year}-02-01`, false],
    [`${year}-02-02`, `${year}-02-28`, true],
    [`${year}-03-01`, `${year}-03-31`, true],
  ]);
  const list = (startDate: string, endDate: string) => listRevenue({ startDate, endDate });
  const paused = "100002";
  expect((await list(`${year}-02-01`, `${year}-02-28`)).map(([number]) => number)).not.toContain(paused);
  // From 11 February, when the pause ends, 18 of 31 days; then the last 2, to 2 March.
  expect(await list(`${year}-02-02`, `${year}-02-28`)).toContainEqual([paused, 8_707]);
  expect(await list(`${year}-03-01`, `${year}-03-31`)).toContainEqual([paused, 967]);
});

/** Lists the revenue of days by document. */
async function listRevenue(days: { startDate: string; endDate: string }): Promise<[string, number][]> {
  const page = { figure: "revenue", offset: 0, limit: 100 } as const;
  const { rows } = await listMoneyEntries(app.context(), { ...days, ...page });
  return rows.map(({ number, amountCents }) => [number, amountCents]);
}

/** Records a payment of the open invoice for a day. */
async function payOpen(amountCents: number, receivedDay: string, expected: number): Promise<void> {
  const { rows } = await app.services.pool.query("select id from manual_invoices where status = 'open'");
  const payment = buildPayment(app, { amountCents, receivedDay });
  await recordPayment(app.context(), rows[0]?.id ?? "", payment, { key: randomUUID(), expected });
}

const sum = <Row>(rows: readonly Row[], get: (row: Row) => number) => rows.reduce((all, row) => all + get(row), 0);
async function request(file: string, period = january) {
  const token = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  return app.rest("POST", "/v1/reports/download-accounting", { body: { ...period, file }, token });
}
async function download(file: string, period = january): Promise<Record<string, string>[]> {
  const { status, text } = await request(file, period);
  expect(status).toBe(200);
  return parse(text, { columns: true });
}

test("writes a journal whose accounts have the balances of the reports", async () => {
  expect(sumAccounts(await download("journal"))).toEqual(balances);
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
});

test.each([
  ["xero", "*UnitAmount", "*Amount"],
  ["myob", "Inc-Tax Amount", "Amount Applied"],
])("writes invoices, credit notes, payments and refunds for %s to the cent", async (program, total, amount) => {
  expect(sum(await download(`${program}-invoices`), (row) => toCents(row[total]))).toBe(929_764 - 111_650);
  expect(sum(await download(`${program}-payments`), (row) => toCents(row[amount]))).toBe(629_764 - 111_650);
});

test("names a line for Xero as its import template does", async () => {
  const rows = await download("xero-invoices");
  expect(rows.find((row) => row["*InvoiceNumber"] === "100007")).toMatchObject({
    "*InvoiceDate": `20/01/${year}`,
    "*DueDate": `03/02/${year}`,
    "*Description": "A year of Corporate Dark",
    "*Quantity": "1",
    "*UnitAmount": "7000.00",
    "*AccountCode": "200",
    "*TaxType": "GST on Income",
    Currency: "AUD",
    Reference: "PO-2291",
  });
  const expected = { "*UnitAmount": "-16.50", Reference: "100001" };
  expect(rows.find((row) => row["*InvoiceNumber"] === "A-100001")).toMatchObject(expected);
});

test("gives Xero no email address of a deleted customer", async () => {
  const mark = (at: string) =>
    app.services.pool.query(
      `update users set deleted_at = ${at} where id = (select user_id from tax_invoices where number = '100007')`,
    );
  await mark("now()");
  const rows = await download("xero-invoices");
  await mark("null");
  const emails = rows.map((row) => [row["*InvoiceNumber"], row.EmailAddress]);
  expect(emails).toContainEqual(["100007", ""]);
  expect(emails).toContainEqual(["100001", expect.stringContaining("@")]);
});

test("lists what customers owe by the days after the due date", async () => {
  const rows = await download("receivables");
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    Number: "100007",
    Due: `03/02/${year}`,
    "Balance (AUD)": "3000.00",
    "Not due (AUD)": "3000.00",
    "1 to 30 days (AUD)": "0.00",
  });
});

test("lists what changed since the files were last exported", async () => {
  await download("journal");
  await download("xero-payments");
  const halfMonth = { ...january, startDate: `${year}-01-15` };
  // A part of a month doesn't compare the revenue of the whole month.
  expect([await download("changes"), await download("changes", halfMonth)]).toEqual([[], []]);
  await download("journal", halfMonth);
  expect(await download("changes")).toEqual([]);
  // The payment is posted for a day that was exported.
  await payOpen(100_000, `${year}-01-28`, 300_000);
  const changes = await download("changes");
  const row = { Change: "Added", Date: `28/01/${year}`, Event: "Payment", Number: "100007" };
  const debit = { "Debit (AUD)": "1000.00", "Credit (AUD)": "0.00" };
  const credit = { "Debit (AUD)": "0.00", "Credit (AUD)": "1000.00" };
  expect(changes).toMatchObject([
    { File: "Journal (CSV)", ...row, Account: "Bank", ...debit },
    { File: "Journal (CSV)", ...row, Account: "Accounts receivable", ...credit },
    // A test above exported it.
    { File: "Payments and refunds for MYOB", ...row, Account: "Bank", ...debit },
    { File: "Payments and refunds for Xero", ...row, Account: "Bank", ...debit },
  ]);
  await download("journal");
  expect((await download("changes")).map(({ File }) => File)).toEqual([
    "Payments and refunds for MYOB",
    "Payments and refunds for Xero",
  ]);
});

test("keeps the changes since a download while a later one is refused", async () => {
  await download("journal");
  await app.services.pool.query("delete from accounting_exports where file <> 'journal'");
  await payOpen(50_000, `${year}-01-29`, 200_000);
  vi.spyOn(app.services.reportPool, "connect").mockRejectedValueOnce(new AppError("UNAVAILABLE"));
  expect((await request("journal")).status).toBe(503);
  expect(await download("changes")).toHaveLength(2);
  await download("journal");
  expect(await download("changes")).toEqual([]);
});

test("writes the entries of an older version when it is upgraded, once", async () => {
  const list = async () => {
    const columns = "event, at, day, user_id, source_id, document_id, invoice_id, debit, credit, cents, gst_cents";
    return (await app.services.pool.query(`select ${columns} from journal_entries order by source_id, event, credit`))
      .rows;
  };
  const recorded = await list();
  await app.services.pool.query(existingEntriesSql);
  expect(await list()).toEqual(recorded);
  await openOwnerPool(app.database).query(`truncate journal_entries; ${existingEntriesSql}`);
  expect(await list()).toEqual(recorded);
});

test("gives the documents of an older version the same days when it is upgraded", async () => {
  const list = async () => Object.fromEntries(await listRevenue(january));
  const before = await list();
  await app.services.pool.query("delete from service_periods");
  const fill = from0096["0115-service-periods"].find((sql) => sql.startsWith("insert into service_periods"));
  await app.services.pool.query(fill ?? "");
  // The lines of an older change have its days together, and older lines by hand have none.
  expect(await list()).toEqual({ ...before, "100006": Math.round((4_113 * 15) / 17), "100007": 636_364 });
});
