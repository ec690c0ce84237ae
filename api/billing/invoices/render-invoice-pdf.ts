import { formatSellerTableDate, formatShortDay } from "#schema/dates.ts";
import { formatDollars, formatGstRate } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import { toServiceDays } from "#api/billing/revenue/service-periods.ts";
import {
  measureHeight,
  ink,
  muted,
  renderDocument,
  startNextPage,
  type Pen,
  drawFacts,
  drawRule,
  addTableRow,
  WIDTH,
  writeText,
  PAGE,
} from "./pdf-drawing.ts";
import { hasUnprintable, type Weight } from "./pdf-fonts.ts";
import { type InvoiceLine, type InvoiceParty, isDeferredCharge, type TaxInvoice } from "./tax-invoice.entity.ts";

/** The content of a document: a tax invoice, an adjustment note or a quote, whose `dueAt` is the end of its validity. */
export type InvoiceDocument = Pick<
  TaxInvoice,
  | "number"
  | "issuedAt"
  | "paidAt"
  | "dueAt"
  | "purchaseOrder"
  | "creditCents"
  | "cardLast4"
  | "periodStart"
  | "periodEnd"
  | "amountCents"
  | "discountCents"
  | "gstCents"
  | "gstBasisPoints"
  | "totalCents"
  | "seller"
  | "buyer"
> & {
  readonly kind: TaxInvoice["kind"] | "quote";
  readonly lines: readonly InvoiceLine[];
  readonly adjusts: Pick<TaxInvoice, "number"> | null;
  readonly replaces?: Pick<TaxInvoice, "number"> | null;
};

const GUTTER = 28;
const HALF = (WIDTH - GUTTER) / 2;
const AMOUNT_WIDTH = 96;
/** Space for the column headers of the lines, in points. */
const HEADERS_HEIGHT = 32;
const TOTALS_WIDTH = 250;
/** Lowest position at which a table line or totals row may start. */
const LAST_ROW = PAGE.bottom - 40;

/**
 * Renders a tax invoice, adjustment note or quote as a tagged A4 PDF. The same row always produces the same document. For an
 * adjustment note, `adjusts` must be loaded, and for a re-issued invoice `replaces`. Characters missing from all typefaces
 * are printed as question marks, and a note explains this. Screen readers get the full text.
 * @param paidCents what was paid before a re-issued invoice was issued, without credit
 */
export async function renderTaxInvoicePdf(invoice: InvoiceDocument, paidCents = 0): Promise<Buffer> {
  const title = `${titles[invoice.kind]} ${invoice.number}`;
  const { seller, issuedAt } = invoice;
  const footer = (page: string) => [
    `All amounts are in Australian dollars. Questions about this document: ${seller.email ?? ""}`,
    `${title} · ${page}`,
  ];
  return renderDocument({ title, author: seller.name, issuedAt, heading: titles[invoice.kind], footer }, (pen) => {
    drawHeader(pen, invoice);
    drawParties(pen, invoice);
    drawLines(pen, invoice);
    drawTotals(pen, invoice, paidCents);
    drawBankAccount(pen, invoice);
    drawNotes(pen, invoice);
  });
}

const isAdjustmentNote = (invoice: InvoiceDocument): boolean => invoice.kind === "adjustment";
const titles = { invoice: "Tax invoice", adjustment: "Adjustment note", quote: "Quote" } as const;

function drawHeader(pen: Pen, invoice: InvoiceDocument): void {
  drawRule(pen, pen.y);
  pen.y += 12;
  const facts: [label: string, value: string][] = isAdjustmentNote(invoice)
    ? [
        ["Note number", invoice.number],
        ["Issue date", formatSellerTableDate(invoice.issuedAt)],
        ["Refunded", invoice.paidAt ? formatSellerTableDate(invoice.paidAt) : "No money was returned"],
        ["Adjusts tax invoice", invoice.adjusts?.number ?? ""],
      ]
    : [
        [invoice.kind === "quote" ? "Quote number" : "Invoice number", invoice.number],
        ["Issue date", formatSellerTableDate(invoice.issuedAt)],
        ...getDueFacts(invoice),
        ["Total (AUD)", formatDollars(invoice.totalCents)],
      ];
  if (invoice.replaces) facts.push(["Replaces tax invoice", invoice.replaces.number]);
  if (invoice.purchaseOrder) facts.push(["Purchase order", invoice.purchaseOrder]);
  pen.y += drawFacts(pen, facts) + 10;
  drawRule(pen, pen.y);
  pen.y += 24;
}

function getDueFacts(invoice: InvoiceDocument): [label: string, value: string][] {
  const { kind, paidAt, dueAt } = invoice;
  if (paidAt && !isDeferredCharge(invoice)) return [["Paid date", formatSellerTableDate(paidAt)]];
  return dueAt
    ? [[kind === "quote" ? "Valid until" : "Due date", formatSellerTableDate(dueAt)]]
    : [["Paid date", "Not yet paid"]];
}

function drawParties(pen: Pen, { seller, buyer }: InvoiceDocument): void {
  const from = drawParty(pen, "From", seller, PAGE.left);
  const to = drawParty(pen, "To", buyer, PAGE.left + HALF + GUTTER);
  pen.y += Math.max(from, to) + 26;
}

function drawParty(pen: Pen, label: string, party: InvoiceParty, x: number): number {
  const { document, root } = pen;
  const section = document.struct("Sect");
  root.add(section);
  const place = { x, width: HALF, parent: section };
  let y = pen.y;
  y += writeText(pen, label, { ...place, y, size: 8.5, colour: muted, role: "H2" }) + 2;
  y += writeText(pen, party.name, { ...place, y, size: 11.5, weight: "semibold" }) + 1;
  if (party.abn) y += writeText(pen, `ABN ${party.abn}`, { ...place, y });
  if (party.contact) y += writeText(pen, party.contact, { ...place, y });
  for (const line of party.address) y += writeText(pen, line, { ...place, y, colour: muted });
  if (party.email) y += writeText(pen, party.email, { ...place, y, colour: muted });
  section.end();
  return y - pen.y;
}

function drawLines(pen: Pen, invoice: InvoiceDocument): void {
  const { document, root } = pen;
  const table = document.struct("Table");
  root.add(table);
  const drawColumnHeaders = (): void => {
    const row = addTableRow(pen, table);
    const look = { size: 8.5, colour: muted, role: "TH", parent: row };
    const height = writeText(pen, "Description", { ...look, width: WIDTH - AMOUNT_WIDTH });
    writeText(pen, "Amount (AUD)", { ...look, x: PAGE.right - AMOUNT_WIDTH, width: AMOUNT_WIDTH, align: "right" });
    row.end();
    pen.y += height + 6;
    drawRule(pen, pen.y, PAGE.left, 1, ink);
    pen.y += 10;
  };
  const width = WIDTH - AMOUNT_WIDTH - GUTTER;
  const measure = (line: InvoiceLine) =>
    measureHeight(document, describeLine(line), { width, size: 10.5, weight: "regular" });
  // Long details of the buyer can leave no room for a first line.
  const [first] = invoice.lines;
  if (first && pen.y + HEADERS_HEIGHT + measure(first) > LAST_ROW) startNextPage(pen);
  drawColumnHeaders();
  for (const [index, line] of invoice.lines.entries()) {
    const height = measure(line);
    if (pen.y + height > LAST_ROW) {
      startNextPage(pen);
      drawColumnHeaders();
    } else if (index > 0) {
      drawRule(pen, pen.y);
      pen.y += 10;
    }
    const row = addTableRow(pen, table);
    const drawn = writeText(pen, describeLine(line), { width, size: 10.5, role: "TD", parent: row });
    writeText(pen, formatDollars(line.amountCents), {
      x: PAGE.right - AMOUNT_WIDTH,
      width: AMOUNT_WIDTH,
      size: 10.5,
      align: "right",
      role: "TD",
      parent: row,
    });
    row.end();
    pen.y += drawn + 9;
  }
  table.end();
  const period = formatPeriod(invoice);
  if (period) {
    pen.y -= 4;
    pen.y += writeText(pen, period, { size: 9, colour: muted }) + 9;
  }
  drawRule(pen, pen.y);
  pen.y += 14;
}

/** Returns the description with the quantity and unit price of several units, and the service period of a line by hand. */
function describeLine({ description, quantity, unitCents = 0, period }: InvoiceLine): string {
  const units = quantity && quantity > 1 ? ` (${formatNumber(quantity)} × ${formatDollars(unitCents)})` : "";
  // The other lines are of subscriptions, and their text has the days.
  const days = quantity && period ? `, ${formatTableDays(period)}` : "";
  return `${description}${units}${days}`;
}

const formatTableDays = ({ firstDay, lastDay }: NonNullable<InvoiceLine["period"]>) =>
  `${formatShortDay(firstDay)} to ${formatShortDay(lastDay)}`;

/** Returns the days of the period that was paid for. */
function formatPeriod({ periodStart, periodEnd, lines }: InvoiceDocument): string | null {
  if (!periodStart || !periodEnd || lines.some(({ quantity }) => quantity)) return null;
  return `Period: ${formatTableDays(toServiceDays(periodStart, periodEnd))}`;
}

function drawTotals(pen: Pen, invoice: InvoiceDocument, paidCents: number): void {
  const { amountCents, discountCents, gstCents, gstBasisPoints, totalCents, creditCents } = invoice;
  const rows: [label: string, cents: number][] = [["Subtotal, without GST", amountCents]];
  if (discountCents > 0)
    rows.push(["Discount", 0 - discountCents], ["Subtotal after discount", amountCents - discountCents]);
  rows.push([formatGstRate(gstBasisPoints), gstCents]);
  if (pen.y + rows.length * 18 + (paidCents > 0 ? 78 : 60) > LAST_ROW) startNextPage(pen);
  for (const [label, cents] of rows) drawTotalsRow(pen, label, cents, { size: 10.5, gap: 5 });
  const x = PAGE.right - TOTALS_WIDTH;
  pen.y += 3;
  drawRule(pen, pen.y, x, 1, ink);
  pen.y += 10;
  drawTotalsRow(pen, isAdjustmentNote(invoice) ? "Total adjustment (AUD)" : "Total (AUD)", totalCents, {
    size: 14,
    gap: 4,
    weight: "bold",
  });
  if (creditCents > 0) drawTotalsRow(pen, "Credit applied", 0 - creditCents, { size: 10.5, gap: 5 });
  if (paidCents > 0) drawTotalsRow(pen, "Already paid", 0 - paidCents, { size: 10.5, gap: 5 });
  const dueCents = totalCents - creditCents - paidCents;
  if (creditCents > 0 || paidCents > 0)
    drawTotalsRow(pen, "Amount due (AUD)", dueCents, { size: 14, gap: 4, weight: "bold" });
  const paid = describePayment(invoice);
  if (paid) pen.y += writeText(pen, paid, { x, width: TOTALS_WIDTH, size: 9.5, colour: muted, align: "right" });
  pen.y += 26;
}

function drawTotalsRow(
  pen: Pen,
  label: string,
  cents: number,
  { size, gap, weight = "regular" }: { size: number; gap: number; weight?: Weight },
): void {
  const { document, root } = pen;
  const x = PAGE.right - TOTALS_WIDTH;
  const row = document.struct("Div");
  root.add(row);
  const look = { size, weight, parent: row };
  const height = writeText(pen, label, { ...look, x, width: TOTALS_WIDTH - AMOUNT_WIDTH + 10 });
  writeText(pen, formatDollars(cents), {
    ...look,
    x: PAGE.right - AMOUNT_WIDTH - 20,
    width: AMOUNT_WIDTH + 20,
    align: "right",
  });
  row.end();
  pen.y += height + gap;
}

function describePayment(invoice: InvoiceDocument): string | null {
  const { paidAt, cardLast4, totalCents } = invoice;
  if (!paidAt) return null;
  if (isDeferredCharge(invoice)) return "Added to the next payment";
  const card = cardLast4 ? ` card ending ${cardLast4}` : "";
  if (isAdjustmentNote(invoice)) return `Refunded${card && ` to${card}`} on ${formatSellerTableDate(paidAt)}`;
  return totalCents === 0 ? "Nothing to pay" : `Paid${card && ` by${card}`} on ${formatSellerTableDate(paidAt)}`;
}

/** Draws the seller's account on an invoice that is still to be paid. */
function drawBankAccount(pen: Pen, { kind, seller: { bank }, paidAt, number }: InvoiceDocument): void {
  if (!bank || paidAt || kind !== "invoice") return;
  if (pen.y + 70 > LAST_ROW) startNextPage(pen);
  pen.y += writeText(pen, "Pay by bank transfer", { size: 11.5, weight: "semibold", role: "H2" }) + 6;
  pen.y +=
    drawFacts(pen, [
      ["Account name", bank.accountName],
      ["BSB", bank.bsb],
      ["Account number", bank.accountNumber],
      ["Reference", number],
    ]) + 22;
}

function drawNotes(pen: Pen, invoice: InvoiceDocument): void {
  const notes: string[] = [];
  if (isAdjustmentNote(invoice)) notes.push("This note reduces the price and the GST of the tax invoice it names.");
  if (invoice.kind === "quote") notes.push("This is not a tax invoice. You receive one when you accept the quote.");
  const { buyer, lines, purchaseOrder } = invoice;
  const texts = [buyer.name, buyer.contact, ...buyer.address, purchaseOrder, ...lines.map((line) => line.description)];
  if (texts.some((text) => text && hasUnprintable(text)))
    notes.push(
      "Question marks replace characters that this document cannot show. Our records and screen readers have the full text.",
    );
  for (const note of notes) {
    if (pen.y > LAST_ROW) startNextPage(pen);
    pen.y += writeText(pen, note, { size: 9, colour: muted, width: WIDTH * 0.75 }) + 4;
  }
}
