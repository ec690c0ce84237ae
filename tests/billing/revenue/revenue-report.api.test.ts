import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { findLabel, toCode } from "#schema/closed-list.ts";
import { getCalendarDay } from "#schema/days.ts";
import { moneyFigureList, type MoneyFigureName, moneyFigureNames } from "#schema/money-report.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { advanceTime, createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await createAdmin(app, { staffRoles: ["finance"] });
let token = await signInAs(app, admin);
const user = await createUser(app);
const noon = (day: string) => new Date(`${day}T02:00:00Z`);

/** Issues a yearly invoice of A$365.00 plus GST, a dollar a day, from a day on. */
const issueYear = (issuedOn: string, from: string, until: string) =>
  createTaxInvoice(app, user, {
    issuedAt: noon(issuedOn),
    paidAt: noon(issuedOn),
    periodStart: noon(from),
    periodEnd: noon(until),
    lines: [{ description: "A year", amountCents: 36_500 }],
    gstCents: 3_650,
    totalCents: 40_150,
  });
const refund = ({ id }: TaxInvoice, refundedCents: number, on: string) =>
  issueAdjustmentNote(app.context(), app.context().em, {
    invoiceId: id,
    refundedCents,
    refundedAt: noon(on),
    issuedAt: noon(on),
  });

type Month = Record<MoneyFigureName, number> & { startDate: string; endDate: string };
const readMonths = (startDate: string, endDate: string): Promise<Month[]> =>
  app.call(`moneyReport { startDate endDate ${moneyFigureNames.join(" ")} }`, { startDate, endDate }, token);
const entryFields = "id at number kind userId customer description totalCents gstCents amountCents";
function readEntries(figure: MoneyFigureName, { startDate, endDate }: Month) {
  const variables = { figure: toCode(moneyFigureList, figure), startDate, endDate, first: 100 };
  return app.call(`moneyEntries { total sumCents rows { ${entryFields} } }`, variables, token);
}

const yearly = await issueYear("2021-01-11", "2021-01-11", "2022-01-11");
await issueYear("2021-02-10", "2021-01-11", "2022-01-11");
await refund(yearly, 40_150, "2021-03-12");

test("the revenue report earns a year evenly by day, defers the rest, and earns late days on the day of issue", async () => {
  const [january, february] = await readMonths("2021-01-01", "2021-02-28");
  expect(january).toMatchObject({ invoiced: 36_500, revenue: 2_100, deferred: 34_400, collected: 40_150 });
  expect(february).toMatchObject({ invoiced: 36_500, revenue: 2_800 + 4_900, deferred: 63_200 });
});

test("the revenue report takes a refund out of the revenue of the refund's month and out of the deferred rest", async () => {
  const [march] = await readMonths("2021-03-01", "2021-03-31");
  // One invoice earns 3,100. The note takes back the 80 days until the end of March.
  const revenue = 3_100 + 3_100 - 8_000;
  expect(march).toMatchObject({ invoiced: -36_500, revenue, refunded: -40_150, deferred: 28_500 });
});

test("the revenue report adds up: deferred at the end is deferred before, plus invoiced, less revenue", async () => {
  const months = await readMonths("2021-01-01", "2022-03-31");
  let deferred = 0;
  for (const month of months) {
    deferred += month.invoiced - month.revenue;
    expect([month.startDate, month.deferred]).toEqual([month.startDate, deferred]);
  }
  expect([deferred, months.reduce((sum, { revenue }) => sum + revenue, 0)]).toEqual([0, 36_500]);
});

test("the revenue report lists rows that add up to each figure", async () => {
  const months = await readMonths("2021-01-15", "2021-04-10");
  // The first and the last month are shortened to the period.
  expect([months[0]?.startDate, months[0]?.endDate]).toEqual(["2021-01-15", "2021-01-31"]);
  expect([months[3]?.startDate, months[3]?.endDate]).toEqual(["2021-04-01", "2021-04-10"]);
  for (const month of months)
    for (const name of moneyFigureNames) {
      const { rows, total, sumCents } = await readEntries(name, month);
      const sum = rows.reduce((all: number, row: { amountCents: number }) => all + row.amountCents, 0);
      expect([month.startDate, name, sum, sumCents]).toEqual([month.startDate, name, month[name], month[name]]);
      expect(rows).toHaveLength(total);
    }
});

test("the revenue report writes the months and the rows of a figure as CSV", async () => {
  const period = { startDate: "2021-01-01", endDate: "2021-03-31", format: "csv" };
  const download = async (body: object) =>
    parse((await app.rest("POST", "/v1/reports/download-revenue", { body: { ...period, ...body }, token })).text, {
      columns: true,
    }) as Record<string, string>[];
  const months = await readMonths(period.startDate, period.endDate);
  const file = await download({});
  expect(file.map((row) => row["First day"])).toEqual(["2021-01-01", "2021-02-01", "2021-03-01"]);
  for (const name of moneyFigureNames)
    expect(file.map((row) => Math.round(Number(row[`${findLabel(moneyFigureList, name)} (AUD)`]) * 100))).toEqual(
      months.map((month) => month[name]),
    );
  expect((await download({ figure: "refunded" })).map((row) => row["Refunded (AUD)"])).toEqual(["-401.50"]);
});

test("the revenue report rejects an unknown figure and impossible periods", async () => {
  for (const [changes, field] of [
    [{ figure: "profit" }, "figure"],
    [{ endDate: "2020-01-01" }, "endDate"],
    [{ endDate: "2051-01-01" }, "endDate"],
    [{ startDate: "2021-02-30" }, "startDate"],
  ] as const) {
    const body = { startDate: "2021-01-01", endDate: "2021-03-31", ...changes };
    const { status, json } = await app.rest("POST", "/v1/reports/download-revenue", { body, token });
    expect([status, Object.keys(json)]).toEqual([400, [field]]);
  }
});

test("the revenue report ends with the last possible day", async () => {
  const months = await readMonths("9999-11-30", "9999-12-31");
  expect(months.map(({ startDate, endDate }) => [startDate, endDate])).toEqual([
    ["9999-11-30", "9999-11-30"],
    ["9999-12-01", "9999-12-31"],
  ]);
});

test("the revenue report counts failed renewals and recovered payments", async () => {
  const subscriber = await createSubscriber(app, { cardNumber: "4000000000000341" });
  await advanceTime(app, 32);
  await app.rest("PATCH", "/v1/subscriptions/update-payment-details", {
    token: await signInAs(app, subscriber.user),
    body: { cardNumber: "4242424242424242", expiryDate: "12/39", cvc: "123" },
  });
  token = await signInAs(app, admin);
  const today = app.clock.now();
  const from = new Date(today.getTime() - 60 * 86_400_000).toISOString().slice(0, 10);
  const months = await readMonths(from, new Date(today.getTime() + 86_400_000).toISOString().slice(0, 10));
  const sum = (name: MoneyFigureName) => months.reduce((all, month) => all + month[name], 0);
  expect([sum("failed"), sum("recovered"), sum("collected")]).toEqual([16_495, 16_495, 32_990]);
});

test("the revenue report counts credit that a customer paid ahead as collected cash, and goodwill not", async () => {
  await advanceTime(app, 1);
  token = await signInAs(app, admin);
  const today = getCalendarDay(app.clock.now());
  const corporate = await createCorporateUser(app);
  for (const isPaid of [true, false])
    await addCredit(app.context(), corporate.id, { amountCents: 5_000, reason: "Paid ahead", isPaid }, randomUUID());
  const [month] = await readMonths(today, today);
  expect(month).toMatchObject({ collected: 5_000, invoiced: 0 });
  expect((await readEntries("collected", month as Month)).rows).toMatchObject([
    {
      number: "",
      kind: "PAYMENT",
      userId: corporate.id,
      customer: corporate.companyName,
      description: "Paid ahead",
      amountCents: 5_000,
    },
  ]);
});
