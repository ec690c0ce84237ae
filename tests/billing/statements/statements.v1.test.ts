import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { formatTableDate } from "#schema/dates.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { buildRefund, createPaidInvoice, refundMutation } from "#tests/factories/refund.ts";
import { createAdmin, createCorporateUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { open, pay, addCredit } = createInvoiceRequests(app, finance);

const own = "/v1/core/accounts/statement/download";
const forStaff = "/v1/admin/statement/download";
const today = getCalendarDay(app.clock.now());
const shownToday = formatTableDate(`${today}T00:00:00Z`, "UTC");
const period = { startDate: addDays(today, -2), endDate: today };

async function download(path: string, token: string, body: object): Promise<string[][]> {
  const { status, text } = await app.rest("POST", path, { body: { ...period, format: "csv", ...body }, token });
  expect(status).toBe(200);
  return parse(text, { bom: true });
}

test("lists documents, payments and money paid ahead between the opening and the closing balance, the same for staff", async () => {
  const user = await createCorporateUser(app);
  const token = await signInAs(app, user);
  await addCredit(user, 5_000);
  const first = await open(user);
  await pay(first, { amountCents: 40_000, receivedDay: addDays(today, -1) });
  await pay({ id: first.id, balanceCents: 65_000 }, { amountCents: 70_000, receivedDay: today });
  const second = await open(user, { lines: [{ description: "=Training", quantity: 1, unitCents: 100_000 }] });
  const rows = await download(own, token, {});
  expect(await download(forStaff, finance, { userId: user.id })).toEqual(rows);
  const yesterday = formatTableDate(`${addDays(today, -1)}T00:00:00Z`, "UTC");
  const text = "Corporate Dark Concurrent, a year and 1 more";
  expect(rows.map((row) => row.join("|"))).toEqual([
    "Date|Entry|Number|Description|Amount (AUD)|Balance (AUD)",
    `${formatTableDate(`${period.startDate}T00:00:00Z`, "UTC")}|Opening balance||||0.00`,
    `${yesterday}|Payment|${first.number}|${text}|-400.00|-400.00`,
    `${shownToday}|Tax invoice|${first.number}|${text}|1100.00|700.00`,
    `${shownToday}|Tax invoice|${second.number}|'=Training|1100.00|1800.00`,
    `${shownToday}|Payment||Sorry for the outage|-50.00|1750.00`,
    `${shownToday}|Payment|${first.number}|${text}|-700.00|1050.00`,
    `${shownToday}|Closing balance||||1050.00`,
  ]);
  const later = await download(own, token, { startDate: today });
  expect([later[1]?.at(-1), later.at(-1)?.at(-1)]).toEqual(["-400.00", "1050.00"]);
});

test("shows a card payment and its refund as both sides of the account", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  await app.graphql(refundMutation, { input: buildRefund(invoiceId, { amountCents: 1_000 }) }, staffToken);
  const rows = await download(own, await signInAs(app, user), {});
  expect(rows.slice(2, -1).map(([, entry, , , amount]) => [entry, amount])).toEqual([
    ["Tax invoice", "164.95"],
    ["Adjustment note", "-10.00"],
    ["Payment by card", "-164.95"],
    ["Refund", "10.00"],
  ]);
  expect(rows.at(-1)?.at(-1)).toBe("0.00");
});

test("is a PDF by default, and refused for a wrong period, a wrong format and an unknown customer", async () => {
  const { token } = await createSignedIn(app);
  const pdf = await app.rest("POST", own, { body: period, token });
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"]);
  expect(pdf.headers.get("content-disposition")).toContain(`Statement-${period.startDate}-to-${period.endDate}.pdf`);
  const refuse = async (path: string, body: object, as = token) =>
    (await app.rest("POST", path, { body, token: as })).status;
  expect([
    await refuse(own, { ...period, endDate: addDays(today, -9) }),
    await refuse(own, { ...period, format: "xlsx" }),
    await refuse(forStaff, { ...period, userId: "someone" }, finance),
  ]).toEqual([400, 400, 404]);
});
