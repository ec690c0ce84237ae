import { parse } from "csv-parse/sync";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { renderTaxInvoicePdf } from "#api/selling/invoices/render-invoice-pdf.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const token = await signInAs(app, await createAdmin(app));
const at = (iso: string) => createTaxInvoice(app, user, { issuedAt: new Date(iso), paidAt: new Date(iso) });
const user = await createUser(app);

async function reportRows(startDate: string, endDate: string): Promise<Record<string, string>[]> {
  const body = { reportType: 5, startDate, endDate, format: "csv" };
  return parse((await app.rest("POST", "/v1/reports/download-report", { body, token })).text, { columns: true });
}

test("dates an invoice by the Brisbane day in the PDF and in the report", async () => {
  const invoice = await at("2026-11-19T16:32:00Z");
  const pdf = await getDocumentProxy(new Uint8Array(await renderTaxInvoicePdf(invoice)));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text).toContain("Issue date\n20/11/2026");
  expect(text).toContain("Paid date\n20/11/2026");
  expect(await reportRows("2026-11-19", "2026-11-19")).toEqual([]);
  expect(await reportRows("2026-11-20", "2026-11-20")).toMatchObject([
    {
      Number: invoice.number,
      "Date issued (Brisbane time)": "2026-11-20T02:32:00+10:00",
      "Date paid (Brisbane time)": "2026-11-20T02:32:00+10:00",
    },
  ]);
  const query = `query { reportSeries(reportType: 5, startDate: "2026-11-19", endDate: "2026-11-20") { points { date count } } }`;
  expect((await app.graphql(query, {}, token)).data.reportSeries.points).toEqual([
    { date: "2026-11-19", count: 0 },
    { date: "2026-11-20", count: 1 },
  ]);
});

test("ends a financial year at midnight in Brisbane (14:00 UTC)", async () => {
  const last = await at("2026-06-30T13:59:59.999Z");
  const first = await at("2026-06-30T14:00:00Z");
  const numbers = async (startDate: string, endDate: string) =>
    (await reportRows(startDate, endDate)).map((row) => row.Number);
  expect(await numbers("2025-07-01", "2026-06-30")).toEqual([last.number]);
  expect(await numbers("2026-07-01", "2026-07-31")).toEqual([first.number]);
});
