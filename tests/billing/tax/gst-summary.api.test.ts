import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { listValues, toCode, toValue } from "#schema/closed-list.ts";
import { taxBases, type TaxBasis, taxFigureList, type TaxFigureName, taxFigureNames } from "#schema/tax.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { listTaxEntries, readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { toListVariables } from "#tests/support/list-variables.ts";

const app = await startTestApp();
const token = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const here = await createUser(app, { companyName: "Rail Works" });
const abroad = await createUser(app, { companyName: "Kiwi Rail", country: "New Zealand", city: "Wellington" });
const quarter = { startDate: "2021-01-01", endDate: "2021-03-31" };

/** Issues an invoice at one time and has it paid at another, or at the same one. */
const issue = (user: typeof here, issued: string, paid: string | null = issued, values: object = {}) =>
  createTaxInvoice(app, user, { issuedAt: new Date(issued), paidAt: paid === null ? null : new Date(paid), ...values });
const withoutGst = { gstBasisPoints: 0, gstCents: 0, totalCents: 14_995 };

// Brisbane is 10 hours ahead of UTC, so its first quarter of 2021 starts at 14:00 on 31 December in UTC.
beforeAll(async () => {
  await issue(here, "2020-12-31T13:59:59.999Z", "2020-12-31T14:00:00Z");
  const first = await issue(here, "2020-12-31T14:00:00Z");
  await issue(here, "2021-03-31T13:59:59.999Z", "2021-03-31T14:00:00Z");
  await issue(here, "2021-03-31T14:00:00Z");
  await issue(abroad, "2021-02-01T00:00:00Z", "2021-02-01T00:00:00Z", withoutGst);
  await issue(here, "2021-02-02T00:00:00Z", "2021-02-02T00:00:00Z", withoutGst);
  await issue(here, "2021-02-03T00:00:00Z", null);
  const context = app.context();
  const at = new Date("2021-02-04T00:00:00Z");
  const note = { invoiceId: first.id, refundedCents: 3_333, refundedAt: at, issuedAt: at };
  await issueAdjustmentNote(context, context.em, note);
});

const document = `query Tax($basis: TaxBasis!, $startDate: Date!, $endDate: Date!, $figure: TaxFigureName!, $filter: TaxEntryFilter, $first: Int, $offset: Int) {
  taxSummary(startDate: $startDate, endDate: $endDate, basis: $basis) { name code label cents dollars count }
  taxEntries(figure: $figure, startDate: $startDate, endDate: $endDate, basis: $basis, filter: $filter, first: $first, offset: $offset) {
    total sumCents rows { id at userId description number kind customer totalCents gstCents amountCents }
  }
}`;
const read = async (basis: TaxBasis, figure: TaxFigureName = "total-sales", filter: object = {}) => {
  const names = { basis: toCode(taxBases, basis), figure: toCode(taxFigureList, figure) };
  const list = toListVariables({ first: 100, ...filter });
  return (await app.graphql(document, { ...quarter, ...names, ...list }, token)).data;
};

async function readFigures(basis: TaxBasis): Promise<Record<string, number>> {
  const { taxSummary } = await read(basis);
  return Object.fromEntries(
    taxSummary.map(({ name, cents }: { name: string; cents: number }) => [toValue(taxFigureList, name), cents]),
  );
}

test("the GST summary counts documents by date of issue on an accrual basis, in the seller's time zone", async () => {
  expect(await readFigures("accrual")).toEqual({
    "total-sales": 3 * 16_495 + 2 * 14_995,
    "gst-free": 2 * 14_995,
    "gst-on-sales": 3 * 1_500,
    adjustments: -3_333,
    "gst-on-adjustments": 303,
    "net-gst": 3 * 1_500 - 303,
  });
  const { taxSummary } = await read("accrual");
  // The labels of the business activity statement.
  expect(taxSummary.map(({ code, dollars }: { code: string | null; dollars: number }) => [code, dollars])).toEqual([
    ["G1", 794],
    ["G3", 299],
    ["1A", 45],
    [null, null],
    ["1B", 3],
    // The difference of the whole dollars, as on the form.
    [null, 42],
  ]);
});

test("the GST summary counts documents by date of payment on a cash basis, and leaves out unpaid ones", async () => {
  const expected = { "total-sales": 2 * 16_495 + 2 * 14_995, "gst-on-sales": 2 * 1_500, adjustments: -3_333 };
  expect(await readFigures("cash")).toMatchObject(expected);
});

test.each(listValues(taxBases))("the GST summary lists rows that add up to each %s figure exactly", async (basis) => {
  const figures = await readFigures(basis);
  for (const name of taxFigureNames) {
    const { taxEntries, taxSummary } = await read(basis, name);
    const sum = taxEntries.rows.reduce((all: number, row: { amountCents: number }) => all + row.amountCents, 0);
    expect([name, sum, taxEntries.sumCents]).toEqual([name, figures[name], figures[name]]);
    const { count } = taxSummary.find((one: { name: string }) => one.name === toCode(taxFigureList, name));
    expect([name, taxEntries.rows.length, taxEntries.total]).toEqual([name, count, count]);
  }
});

test("the GST summary pages through the rows and searches customers, numbers and descriptions", async () => {
  const all = (await read("accrual")).taxEntries.rows;
  const parts = await Promise.all([0, 2, 4].map((offset) => read("accrual", "total-sales", { offset, first: 2 })));
  expect(parts.flatMap(({ taxEntries }) => taxEntries.rows)).toEqual(all);
  const { taxEntries } = await read("accrual", "total-sales", { search: "kiwi" });
  expect(taxEntries).toMatchObject({ total: 1, sumCents: 14_995, rows: [{ customer: "Kiwi Rail" }] });
  expect((await read("accrual", "total-sales", { search: "iwi.*" })).taxEntries.total).toBe(0);
  expect((await read("accrual", "total-sales", { search: ", monthly" })).taxEntries.total).toBeGreaterThan(0);
  const { number } = taxEntries.rows[0];
  for (const search of ["monthly kiwi", '"kiwi rail"', `"${number}"`, number.replace(/...$/, " $&")])
    expect((await read("accrual", "total-sales", { search })).taxEntries.rows).toMatchObject([{ number }]);
  for (const search of ['"kiw"', '"rail kiwi"', "kiwi works"])
    expect((await read("accrual", "total-sales", { search })).taxEntries.total).toBe(0);
});

test("the GST summary rejects an unknown figure or basis, and an end before the start", async () => {
  const variables = { ...quarter, basis: "ACCRUAL", figure: "GST_FREE", filter: {}, endDate: "2020-01-01" };
  const { errors } = await app.graphql(document, variables, token);
  const expected = { code: "BAD_USER_INPUT", fields: { endDate: ["End date must not be before the start date."] } };
  expect(errors?.[0]?.extensions).toMatchObject(expected);
  for (const [changes, fields] of [
    [{ figure: "profit" }, { figure: ["This figure doesn't exist."] }],
    [{ basis: "guess" }, { basis: ["Basis must be accrual or cash."] }],
  ] as const) {
    const body = { ...quarter, ...changes };
    expect((await app.rest("POST", "/v1/reports/download-tax", { body, token })).json).toEqual(fields);
  }
});

const download = (body: object) =>
  app.rest("POST", "/v1/reports/download-tax", { body: { ...quarter, ...body }, token });

test.each(listValues(taxBases))("GST files contain the figures of a %s summary", async (basis) => {
  const rows: Record<string, string>[] = parse((await download({ basis, format: "csv" })).text, { columns: true });
  const figures = await readFigures(basis);
  const expected = taxFigureNames.map((name) => figures[name]);
  expect(rows.map((row) => Math.round(Number(row["Exact amount (AUD)"]) * 100))).toEqual(expected);
  const dollars = String(Math.trunc((figures["total-sales"] ?? 0) / 100));
  expect(rows[0]).toMatchObject({ Label: "G1", Figure: "Total sales, including GST", "Whole dollars": dollars });
});

test("GST files contain exactly the rows of a figure that the search finds, and are workbooks by default", async () => {
  const { headers, text } = await download({ figure: "total-sales", search: "kiwi", format: "csv" });
  expect(headers.get("content-disposition")).toContain("GST-total-sales-accrual-2021-01-01-to-2021-03-31.csv");
  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ Customer: "Kiwi Rail", "Total (AUD)": "149.95", "GST (AUD)": "0.00" });
  const workbook = readWorkbook((await download({ figure: "adjustments" })).bytes);
  expect(workbook.rows.map((cells) => cells.at(-1)?.text)).toEqual(["Adjustments, including GST (AUD)", "-33.33"]);
});

const allTime = { basis: "cash", startDate: new Date("2000-01-01"), endDate: new Date("2099-12-31") } as const;

/** Pays a part of an invoice and returns its balance. */
async function pay(invoiceId: string, amountCents: number): Promise<number> {
  const find = async () => app.context().em.findOneOrFail(ManualInvoice, invoiceId);
  const balance = getBalanceCents(await find());
  await recordPayment(app.context(), invoiceId, buildPayment(app, { amountCents }), {
    expected: balance,
    key: randomUUID(),
  });
  return getBalanceCents(await find());
}

async function listPaid(customer: string) {
  const request = { ...allTime, figure: "total-sales", search: customer, offset: 0, limit: 100 } as const;
  const { rows } = await listTaxEntries(app.context(), request);
  return rows.map(({ totalCents, gstCents }) => ({ totalCents, gstCents }));
}

const sum = (rows: readonly { totalCents: number; gstCents: number }[], name: "totalCents" | "gstCents") =>
  rows.reduce((all, row) => all + row[name], 0);

let count = 0;
const createCustomer = async () => {
  count++;
  const name = `Buyer${count}x`;
  return { name, user: await createCorporateUser(app, { companyName: name }) };
};

test("GST on a cash basis doesn't count an unpaid invoice, and splits its GST over partial payments", async () => {
  const { name, user } = await createCustomer();
  const invoice = await createOpenInvoice(app, user);
  expect(await listPaid(name)).toEqual([]);
  await pay(invoice.id, 33_333);
  expect(await listPaid(name)).toEqual([{ totalCents: 33_333, gstCents: 3_030 }]);
  await pay(invoice.id, 33_333);
  await pay(invoice.id, 43_334);
  const rows = await listPaid(name);
  expect([sum(rows, "totalCents"), sum(rows, "gstCents")]).toEqual([110_000, 10_000]);
});

test("GST on a cash basis counts an overpayment only when it is applied to the next invoice", async () => {
  const { name, user } = await createCustomer();
  await pay((await createOpenInvoice(app, user)).id, 120_000);
  expect(sum(await listPaid(name), "totalCents")).toBe(110_000);
  await createOpenInvoice(app, user);
  expect(sum(await listPaid(name), "totalCents")).toBe(120_000);
});

test("GST on a cash basis counts an invoice that credit pays in full once", async () => {
  const { name, user } = await createCustomer();
  await addCredit(app.context(), user.id, { amountCents: 110_000, reason: "Paid", isPaid: true }, randomUUID());
  await createOpenInvoice(app, user);
  expect(await listPaid(name)).toEqual([{ totalCents: 110_000, gstCents: 10_000 }]);
});

test("GST on a cash basis doesn't count goodwill, which reduces the GST of the invoice it is used on", async () => {
  const { name, user } = await createCustomer();
  await addCredit(app.context(), user.id, { amountCents: 15_000, reason: "Sorry" }, randomUUID());
  const invoice = await createOpenInvoice(app, user);
  expect(await listPaid(name)).toEqual([]);
  expect(await pay(invoice.id, 95_000)).toBe(0);
  expect(await listPaid(name)).toEqual([{ totalCents: 95_000, gstCents: 8_636 }]);
});

test("GST on a cash basis takes back what was paid for an invoice that is voided", async () => {
  const before = await readTaxSummary(app.context(), allTime);
  const invoice = await createOpenInvoice(app, (await createCustomer()).user);
  await pay(invoice.id, 12_345);
  await voidInvoice(app.context(), invoice.id, "Wrong customer");
  const after = await readTaxSummary(app.context(), allTime);
  const find = (figures: typeof after, figure: string) => figures.find(({ name }) => name === figure)?.cents;
  for (const [figure, change] of [
    ["total-sales", 12_345],
    ["adjustments", -12_345],
    ["gst-on-sales", 1_122],
    ["gst-on-adjustments", 1_122],
    ["net-gst", 0],
  ] as const)
    expect([figure, (find(after, figure) ?? 0) - (find(before, figure) ?? 0)]).toEqual([figure, change]);
});

test("GST on a cash basis adds up to the invoice's GST for any split into payments", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 99_999 }),
      fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 }),
      async (unitCents, payments) => {
        const { name, user } = await createCustomer();
        const lines = [{ description: "Work", quantity: 1, unitCents }];
        const { id, gstCents, totalCents } = await createOpenInvoice(app, user, { lines });
        let balance = totalCents;
        for (const amount of payments) if (balance > 0) balance = await pay(id, Math.min(amount, balance));
        if (balance > 0) balance = await pay(id, balance);
        const rows = await listPaid(name);
        expect([balance, sum(rows, "totalCents"), sum(rows, "gstCents")]).toEqual([0, totalCents, gstCents]);
        for (const row of rows) expect(Math.abs(row.gstCents - row.totalCents / 11)).toBeLessThanOrEqual(1.5);
      },
    ),
    { numRuns: 15 },
  );
});
