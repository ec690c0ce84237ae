import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { listValues, toCode, toValue } from "#schema/closed-list.ts";
import { taxBases, type TaxBasis, taxFigureList, type TaxFigureName, taxFigureNames } from "#schema/tax.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
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

describe("GST summary", () => {
  test("counts documents by date of issue on an accrual basis, in the seller's time zone", async () => {
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

  test("counts documents by date of payment on a cash basis, and leaves out unpaid ones", async () => {
    expect(await readFigures("cash")).toMatchObject({
      "total-sales": 2 * 16_495 + 2 * 14_995,
      "gst-on-sales": 2 * 1_500,
      adjustments: -3_333,
    });
  });

  test.each(listValues(taxBases))("lists rows that add up to each figure on a %s basis, to the cent", async (basis) => {
    const figures = await readFigures(basis);
    for (const name of taxFigureNames) {
      const { taxEntries, taxSummary } = await read(basis, name);
      const sum = taxEntries.rows.reduce((all: number, row: { amountCents: number }) => all + row.amountCents, 0);
      expect([name, sum, taxEntries.sumCents]).toEqual([name, figures[name], figures[name]]);
      const { count } = taxSummary.find((one: { name: string }) => one.name === toCode(taxFigureList, name));
      expect([name, taxEntries.rows.length, taxEntries.total]).toEqual([name, count, count]);
    }
  });

  test("pages through the rows and searches customers, numbers and descriptions", async () => {
    const all = (await read("accrual")).taxEntries.rows;
    const parts = await Promise.all([0, 2, 4].map((offset) => read("accrual", "total-sales", { offset, first: 2 })));
    expect(parts.flatMap(({ taxEntries }) => taxEntries.rows)).toEqual(all);
    const { taxEntries } = await read("accrual", "total-sales", { search: "kiwi" });
    expect(taxEntries).toMatchObject({ total: 1, sumCents: 14_995, rows: [{ customer: "Kiwi Rail" }] });
    expect((await read("accrual", "total-sales", { search: "iwi.*" })).taxEntries.total).toBe(0);
  });

  test("rejects an unknown figure or basis, and an end before the start", async () => {
    const variables = { ...quarter, basis: "ACCRUAL", figure: "GST_FREE", filter: {}, endDate: "2020-01-01" };
    const { errors } = await app.graphql(document, variables, token);
    expect(errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { endDate: ["End date must not be before the start date."] },
    });
    for (const [changes, fields] of [
      [{ figure: "profit" }, { figure: ["This figure doesn't exist."] }],
      [{ basis: "guess" }, { basis: ["Basis must be accrual or cash."] }],
    ] as const) {
      const body = { ...quarter, ...changes };
      expect((await app.rest("POST", "/v1/reports/download-tax", { body, token })).json).toEqual(fields);
    }
  });
});

describe("GST files", () => {
  const download = (body: object) =>
    app.rest("POST", "/v1/reports/download-tax", { body: { ...quarter, ...body }, token });

  test.each(listValues(taxBases))("contain the figures of a %s summary", async (basis) => {
    const rows: Record<string, string>[] = parse((await download({ basis, format: "csv" })).text, { columns: true });
    const figures = await readFigures(basis);
    expect(rows.map((row) => Math.round(Number(row["Exact amount (AUD)"]) * 100))).toEqual(
      taxFigureNames.map((name) => figures[name]),
    );
    const dollars = String(Math.trunc((figures["total-sales"] ?? 0) / 100));
    expect(rows[0]).toMatchObject({ Label: "G1", Figure: "Total sales, including GST", "Whole dollars": dollars });
  });

  test("contain exactly the rows of a figure that the search finds", async () => {
    const { headers, text } = await download({ figure: "total-sales", search: "kiwi", format: "csv" });
    expect(headers.get("content-disposition")).toContain("GST-total-sales-accrual-2021-01-01-to-2021-03-31.csv");
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ Customer: "Kiwi Rail", "Total (AUD)": "149.95", "GST (AUD)": "0.00" });
  });

  test("are workbooks by default", async () => {
    const response = await fetch(`${app.url}/v1/reports/download-tax`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...quarter, figure: "adjustments" }),
    });
    const { rows } = readWorkbook(Buffer.from(await response.arrayBuffer()));
    expect(rows.map((cells) => cells.at(-1)?.text)).toEqual(["Adjustments, including GST (AUD)", "-33.33"]);
  });
});
