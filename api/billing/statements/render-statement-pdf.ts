import { formatTableDate } from "#schema/dates.ts";
import { formatDollars } from "#schema/money.ts";
import { getSeller } from "#api/billing/invoices/parties.ts";
import { addTableRow, drawFacts, drawRule, ink, measureHeight, muted, type Pen, renderDocument, startNextPage, WIDTH, writeText, PAGE } from "#api/billing/invoices/pdf-drawing.ts";
import type { InvoiceParty } from "#api/billing/invoices/tax-invoice.entity.ts";
import type { Statement, StatementRow } from "./read-statement.ts";

const DATE_WIDTH = 66;
const AMOUNT_WIDTH = 84;
const TEXT_WIDTH = WIDTH - DATE_WIDTH - 2 * AMOUNT_WIDTH - 12;
/** Lowest position at which a row may start. */
const LAST_ROW = PAGE.bottom - 30;

const formatDay = (day: string) => formatTableDate(`${day}T00:00:00Z`, "UTC");

/** Renders a customer's statement as a tagged A4 PDF. */
export async function renderStatementPdf(statement: Statement, buyer: InvoiceParty, now: Date): Promise<Buffer> {
  const { startDate, endDate, openingCents, closingCents } = statement;
  const title = `Statement ${formatDay(startDate)} to ${formatDay(endDate)}`;
  const footer = (page: string) => [`${title} · ${page} · A statement is not a tax invoice.`];
  const info = { title, author: getSeller().name, issuedAt: now, heading: "Statement", footer };
  return renderDocument(info, (pen) => {
    pen.y +=
      drawFacts(pen, [
        ["From", formatDay(startDate)],
        ["To", formatDay(endDate)],
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
  draw([formatDay(startDate), "Opening balance", "", formatDollars(openingCents)]);
  for (const entry of rows) {
    const text = describe(entry);
    startRow(text);
    draw([formatDay(entry.day), text, formatDollars(entry.cents), formatDollars(entry.balanceCents)]);
  }
  startRow("Closing balance");
  drawRule(pen, pen.y, PAGE.left, 1, ink);
  pen.y += 8;
  draw([
    formatDay(endDate),
    closingCents < 0 ? "Closing balance, paid ahead" : "Closing balance",
    "",
    formatDollars(closingCents),
  ]);
  table.end();
}

const describe = ({ event, number, description }: StatementRow) =>
  [[event, number].filter(Boolean).join(" "), description].filter(Boolean).join(": ");
