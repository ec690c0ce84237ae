import { stringify } from "csv-stringify/sync";
import { formatShortDay } from "#schema/dates.ts";
import { type StatementValues, customerStatementRules, statementRules } from "#schema/money-report.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { getUser } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { csvExamples, exampleIds } from "#api/platform/http/route-examples.ts";
import { FileResponse, routesOf } from "#api/platform/http/define-route.ts";
import { formatDollars } from "#schema/money.ts";
import {
  addTableRow,
  drawFacts,
  drawRule,
  ink,
  measureHeight,
  muted,
  type Pen,
  renderDocument,
  startNextPage,
  WIDTH,
  writeText,
  PAGE,
} from "#api/billing/invoices/pdf-drawing.ts";
import { getSeller, type InvoiceParty, toBuyer } from "#api/billing/invoices/tax-invoice.entity.ts";
import { postingsSql } from "#api/billing/journal/journal-sql.ts";
import type { MoneyPeriod } from "#api/billing/revenue/read-money.ts";

/** An entry of a statement, in AUD cents. */
interface StatementRow {
  /** `YYYY-MM-DD` in the vendor's time zone. */
  readonly day: string;
  readonly event: string;
  readonly number: string;
  readonly description: string;
  /** Positive if the customer owes more. */
  readonly cents: number;
  /** What the customer owes afterwards. */
  readonly balanceCents: number;
}

/** What a customer owed, was charged and paid in a period. A negative balance is money that they paid ahead. */
interface Statement extends MoneyPeriod {
  readonly openingCents: number;
  readonly closingCents: number;
  readonly rows: readonly StatementRow[];
}

/**
 * Returns a customer's statement from the journal (docs/domain.md#statements): documents, payments, refunds and money that
 * was paid ahead. Goodwill isn't an entry, because it reduces the price of an invoice.
 */
async function readStatement(
  { pool }: Pick<Context, "pool">,
  userId: string,
  { startDate, endDate }: MoneyPeriod,
): Promise<Statement> {
  const { rows } = await pool.query<Omit<StatementRow, "balanceCents"> & { isBefore: boolean }>(
    `with entries as (
        select p.id, p.day, p.event, p.number, p.description, sum(p.cents)::float8 as cents
          from (${postingsSql}) p
         where p.user_id = $1 and p.account in ('receivable', 'credit') and p.day <= $3::date
         group by 1, 2, 3, 4, 5 having sum(p.cents) <> 0)
      select * from (select true as "isBefore", '' as day, '' as event, '' as number, '' as description, '' as id,
             coalesce(sum(cents), 0)::float8 as cents from entries where day < $2::date
      union all
      select false, day::text, event, number, description, id::text, cents from entries where day >= $2::date) rows
      order by "isBefore" desc, day, event = 'Document' desc, number, id`,
    [userId, startDate, endDate],
  );
  const openingCents = rows[0]?.cents ?? 0;
  let balanceCents = openingCents;
  const entries = rows.slice(1).map(({ day, event, number, description, cents }) => {
    balanceCents += cents;
    const document = cents > 0 ? "Tax invoice" : "Adjustment note";
    const names: Record<string, string> = { Document: document, "Card payment": "Payment by card" };
    return { day, number, description, cents, balanceCents, event: names[event] ?? event };
  });
  return { startDate, endDate, openingCents, closingCents: balanceCents, rows: entries };
}

/**
 * Returns a customer's statement as a PDF or CSV file.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND; RATE_LIMITED after 60 downloads of documents in 10 minutes.
 */
async function downloadStatement(
  context: Context,
  userId: string,
  { format, ...period }: StatementValues,
): Promise<FileResponse> {
  const user = await getUser(context, userId);
  await context.rateLimits.take("taxInvoiceDownload", getCallerId(context));
  const statement = await readStatement(context, user.id, period);
  const filename = `Statement-${period.startDate}-to-${period.endDate}.${format}`;
  return new FileResponse(
    format === "csv"
      ? { filename, contentType: "text/csv; charset=utf-8", content: toCsv(statement) }
      : {
          filename,
          contentType: "application/pdf",
          content: await renderStatementPdf(statement, toBuyer(user), context.clock.now()),
        },
  );
}

/** Returns a customer's statement to staff like {@link downloadStatement}, and records the export in the audit log. */
async function exportStatement(context: Context, userId: string, values: StatementValues): Promise<FileResponse> {
  const file = await downloadStatement(context, userId, values);
  const subject = { type: "export", id: context.origin.requestId, name: "Statement" } as const;
  const after = { format: values.format };
  await inTransaction(context, (em) => recordChange(context, em, { action: "export-report", subject, userId, after }));
  return file;
}

/** Spreadsheets need the byte order mark and CRLF, and texts that they would read as formulas are quoted. */
function toCsv({ startDate, endDate, openingCents, closingCents, rows }: Statement): Buffer {
  const titles = ["Date", "Entry", "Number", "Description", "Amount (AUD)", "Balance (AUD)"];
  const lines = rows.map(({ day, event, number, description, cents, balanceCents }) => [
    formatShortDay(day),
    event,
    number,
    description,
    cents / 100,
    balanceCents / 100,
  ]);
  const table = [
    titles,
    [formatShortDay(startDate), "Opening balance", "", "", "", openingCents / 100],
    ...lines,
    [formatShortDay(endDate), "Closing balance", "", "", "", closingCents / 100],
  ];
  return Buffer.from(
    stringify(table, {
      bom: true,
      record_delimiter: "windows",
      escape_formulas: true,
      // A negative amount is no formula.
      cast: { number: (value) => ({ value: value.toFixed(2), escape_formulas: false }) },
    }),
  );
}

const defineRoute = routesOf("Tax invoices");
const fileTypes = ["application/pdf", "text/csv; charset=utf-8"];
const example = { startDate: "2025-07-01", endDate: "2025-09-30", format: "pdf" };
const contents =
  "with the opening balance, all invoices, payments and refunds from `startDate` to `endDate`, and the closing balance. `format` is pdf (default) or csv";

export const statementRoutes = [
  defineRoute("POST /v1/core/accounts/statement/download", {
    allow: { audience: "customer", scope: "billing:read" },
    summary: `Download your statement ${contents}`,
    body: statementRules,
    bodyExample: example,
    fileTypes,
    fileExample: csvExamples.statement,
    handler: ({ context, body }) => downloadStatement(context, getCallerId(context), body),
  }),
  defineRoute("POST /v1/admin/statement/download", {
    allow: { audience: "admin", roles: customerStaff, scope: "billing:read", harm: "none" },
    summary: `Download a customer's statement ${contents}`,
    body: customerStatementRules,
    bodyExample: { userId: exampleIds.other, ...example },
    errors: ["NOT_FOUND"],
    fileTypes,
    fileExample: csvExamples.statement,
    handler: ({ context, body: { userId, ...values } }) => exportStatement(context, userId, values),
  }),
];

const DATE_WIDTH = 66;
const AMOUNT_WIDTH = 84;
const TEXT_WIDTH = WIDTH - DATE_WIDTH - 2 * AMOUNT_WIDTH - 12;
/** Lowest position at which a row may start. */
const LAST_ROW = PAGE.bottom - 30;

/** Renders a customer's statement as a tagged A4 PDF. */
async function renderStatementPdf(statement: Statement, buyer: InvoiceParty, now: Date): Promise<Buffer> {
  const { startDate, endDate, openingCents, closingCents } = statement;
  const title = `Statement ${formatShortDay(startDate)} to ${formatShortDay(endDate)}`;
  const footer = (page: string) => [`${title} · ${page} · A statement is not a tax invoice.`];
  const info = { title, author: getSeller().name, issuedAt: now, heading: "Statement", footer };
  return renderDocument(info, (pen) => {
    pen.y +=
      drawFacts(pen, [
        ["From", formatShortDay(startDate)],
        ["To", formatShortDay(endDate)],
        ["Opening balance (AUD)", formatDollars(openingCents)],
        ["Closing balance (AUD)", formatDollars(closingCents)],
      ]) + 14;
    drawParties(pen, buyer);
    drawRows(pen, statement);
  });
}

function drawParties(pen: Pen, buyer: InvoiceParty): void {
  const seller = getSeller();
  for (const [label, party] of [
    ["From", seller],
    ["To", buyer],
  ] as const) {
    const lines = [party.name, party.abn && `ABN ${party.abn}`, party.contact, ...party.address].filter(Boolean);
    pen.y += writeText(pen, `${label}: ${lines.join(", ")}`, { size: 9.5, colour: muted }) + 3;
  }
  pen.y += 14;
}

function drawRows(pen: Pen, { startDate, endDate, openingCents, closingCents, rows }: Statement): void {
  const table = pen.document.struct("Table");
  pen.root.add(table);
  const draw = (cells: readonly string[], { role = "TD", size = 9.5, colour = ink } = {}) => {
    const row = addTableRow(pen, table);
    const look = { size, colour, role, parent: row };
    const [day = "", text = "", amount = "", balance = ""] = cells;
    writeText(pen, day, { ...look, width: DATE_WIDTH });
    const height = writeText(pen, text, { ...look, x: PAGE.left + DATE_WIDTH, width: TEXT_WIDTH });
    const right = { ...look, width: AMOUNT_WIDTH, align: "right" as const };
    writeText(pen, amount, { ...right, x: PAGE.right - 2 * AMOUNT_WIDTH });
    writeText(pen, balance, { ...right, x: PAGE.right - AMOUNT_WIDTH });
    row.end();
    pen.y += height + 6;
  };
  const drawTitles = () => {
    draw(["Date", "Entry", "Amount (AUD)", "Balance (AUD)"], { role: "TH", size: 8.5, colour: muted });
    drawRule(pen, pen.y, PAGE.left, 1, ink);
    pen.y += 8;
  };
  const startRow = (text: string) => {
    const height = measureHeight(pen.document, text, { width: TEXT_WIDTH, size: 9.5, weight: "regular" });
    if (pen.y + height <= LAST_ROW) return;
    startNextPage(pen);
    drawTitles();
  };
  drawTitles();
  draw([formatShortDay(startDate), "Opening balance", "", formatDollars(openingCents)]);
  for (const entry of rows) {
    const text = describe(entry);
    startRow(text);
    draw([formatShortDay(entry.day), text, formatDollars(entry.cents), formatDollars(entry.balanceCents)]);
  }
  startRow("Closing balance");
  drawRule(pen, pen.y, PAGE.left, 1, ink);
  pen.y += 8;
  draw([
    formatShortDay(endDate),
    closingCents < 0 ? "Closing balance, paid ahead" : "Closing balance",
    "",
    formatDollars(closingCents),
  ]);
  table.end();
}

const describe = ({ event, number, description }: StatementRow) =>
  [[event, number].filter(Boolean).join(" "), description].filter(Boolean).join(": ");
