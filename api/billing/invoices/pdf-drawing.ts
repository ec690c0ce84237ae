import { readLogo } from "#api/platform/brand-file.ts";
import { brand } from "#schema/brand.ts";
import {
  hasUnprintable,
  isCoveredByBrandFont,
  openFont,
  replaceUnprintable,
  type Run,
  splitIntoRuns,
  type Typeface,
  type Weight,
} from "./pdf-fonts.ts";
import { listVisualParts, rightToLeft } from "./visual-order.ts";
import PDFDocument from "pdfkit";

/** A4 page and margins in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 56, bottom: 760 } as const;

type PdfDocument = InstanceType<typeof PDFDocument>;
export type Structure = PDFKit.PDFStructureElement;

export const ink = "#10201d";
export const muted = "#4c5f5a";
export const hairline = "#cfd9d5";

/** Width between the margins, in points. */
export const WIDTH = PAGE.right - PAGE.left;

/** Position of the next element, and its parent in the tagged document. */
export interface Pen {
  readonly document: PdfDocument;
  readonly root: Structure;
  y: number;
}

interface TextOptions {
  x?: number;
  y?: number;
  width?: number;
  size?: number;
  weight?: Weight;
  colour?: string;
  align?: "left" | "right";
  /** Role in the tagged document; defaults to a paragraph. */
  role?: string;
  parent?: Structure;
}

/** Draws text and returns its height in points. */
export function writeText(pen: Pen, text: string, options: TextOptions = {}): number {
  const { document, root } = pen;
  const { x = PAGE.left, y = pen.y, width = WIDTH, size = 10, weight = "regular", colour = ink } = options;
  const { align = "left", role = "P", parent = root } = options;
  const shown = replaceUnprintable(text);
  const look = { width, align, lineGap: LINE_GAP };
  const lines = isCoveredByBrandFont(shown) ? null : breakIntoLines(document, shown, { width, size, weight });
  const height = measureHeight(document, text, { width, size, weight });
  // Words of right-to-left text are drawn in reverse.
  const actualText = hasUnprintable(text) || rightToLeft.test(text) ? { actual: text } : {};
  parent.add(
    document.struct(role, actualText, () => {
      document.font(weight).fontSize(size).fillColor(colour);
      if (!lines) document.text(shown, x, y, look);
      for (const [index, line] of (lines ?? []).entries()) {
        const from = align === "right" ? x + width - measureWidth(document, line, { size, weight }) : x;
        drawLine(document, line, { x: from, y: y + index * lineHeight(document, { size, weight }), size, weight });
      }
    }),
  );
  return height;
}

const LINE_GAP = 2;

interface Look {
  readonly size: number;
  readonly weight: Weight;
}

/** Returns the height that some text needs, in points. */
export function measureHeight(
  document: PdfDocument,
  text: string,
  { width, size, weight }: Look & { width: number },
): number {
  const shown = replaceUnprintable(text);
  if (isCoveredByBrandFont(shown))
    return document.font(weight).fontSize(size).heightOfString(shown, { width, lineGap: LINE_GAP });
  return breakIntoLines(document, shown, { width, size, weight }).length * lineHeight(document, { size, weight });
}

const lineHeight = (document: PdfDocument, { size, weight }: Look): number =>
  document.font(weight).fontSize(size).currentLineHeight(true) + LINE_GAP;

/** Selects a typeface in a document, registering it on first use. */
function selectTypeface(document: PdfDocument, typeface: Typeface, { size, weight }: Look): PdfDocument {
  if (typeface === "brand") return document.font(weight).fontSize(size);
  const name = `${typeface}-${weight === "regular" ? "regular" : "bold"}`;
  document.registerFont(name, openFont(typeface, weight) as never);
  return document.font(name).fontSize(size);
}

function measureWidth(document: PdfDocument, runs: readonly Run[], look: Look): number {
  return runs.reduce(
    (sum, { text, typeface }) => sum + selectTypeface(document, typeface, look).widthOfString(text),
    0,
  );
}

const words = new Intl.Segmenter("und", { granularity: "word" });
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Breaks text with several typefaces into lines, between words, or within a word that is wider than a line. */
function breakIntoLines(document: PdfDocument, text: string, { width, ...look }: Look & { width: number }): Run[][] {
  const lines = [""];
  let taken = 0;
  const add = (part: string) => {
    const partWidth = measureWidth(document, splitIntoRuns(part), look);
    const isFull = taken > 0 && part.trim() !== "" && taken + partWidth > width;
    if (isFull) lines.push("");
    taken = (isFull ? 0 : taken) + partWidth;
    lines[lines.length - 1] += part;
  };
  for (const { segment } of words.segment(text)) {
    if (measureWidth(document, splitIntoRuns(segment), look) <= width) add(segment);
    else for (const { segment: one } of graphemes.segment(segment)) add(one);
  }
  return lines.map((line) => listVisualParts(line.trim()).flatMap(splitIntoRuns));
}

function drawLine(
  document: PdfDocument,
  runs: readonly Run[],
  { x, y, ...look }: Look & { x: number; y: number },
): void {
  selectTypeface(document, "brand", look);
  const { ascender } = (document as unknown as { _font: { ascender: number } })._font;
  const baseline = y + (ascender / 1_000) * look.size;
  let at = x;
  for (const { text, typeface } of runs) {
    const width = selectTypeface(document, typeface, look).widthOfString(text);
    document.text(text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
    at += width;
  }
}

/** Draws a horizontal line, marked as decoration for screen readers. */
export function drawRule(pen: Pen, y: number, from: number = PAGE.left, weight = 0.75, colour = hairline): void {
  const { document } = pen;
  document.markContent("Artifact", { type: "Layout" } as never);
  document.moveTo(from, y).lineTo(PAGE.right, y).lineWidth(weight).strokeColor(colour).stroke();
  document.endMarkedContent();
}

/** Draws labelled values in columns and returns their height in points. */
export function drawFacts(pen: Pen, facts: readonly (readonly [label: string, value: string])[]): number {
  const column = WIDTH / facts.length;
  let height = 0;
  for (const [index, [label, value]] of facts.entries()) {
    const place = { x: PAGE.left + index * column, width: column - 10 };
    const labelHeight = writeText(pen, label, { ...place, size: 8.5, colour: muted });
    height = Math.max(
      height,
      labelHeight + 1 + writeText(pen, value, { ...place, y: pen.y + labelHeight + 1, size: 11.5, weight: "semibold" }),
    );
  }
  return height;
}

/** Adds a table row for screen readers. The caller ends it. */
export function addTableRow({ document }: Pen, table: Structure): Structure {
  const row = document.struct("TR");
  table.add(row);
  return row;
}

/** Adds a page and moves to its top. */
export function startNextPage(pen: Pen): void {
  pen.document.addPage();
  pen.y = PAGE.top;
}

interface DocumentOptions {
  readonly title: string;
  readonly author: string;
  readonly issuedAt: Date;
  /** The heading of the first page. */
  readonly heading: string;
  /** Returns the lines below each page, such as `page 1 of 2`. */
  readonly footer: (page: string) => readonly string[];
}

/** Renders a tagged A4 document with the brand, a heading and a footer. `draw` adds the rest. */
export function renderDocument(
  { heading, footer, ...info }: DocumentOptions,
  draw: (pen: Pen) => void,
): Promise<Buffer> {
  const document = openDocument(info);
  const root = document.struct("Document");
  document.addStructure(root);
  const pen: Pen = { document, root, y: PAGE.top + 48 };
  drawBrand(pen);
  pen.y += writeText(pen, heading, { size: 29, weight: "bold", role: "H1" }) + 18;
  draw(pen);
  root.end();
  drawFooters(document, footer);
  return toBytes(document);
}

/** Draws the head of a document: the logo and the name of the brand. */
export function drawBrand(pen: Pen, name: string = brand.name): void {
  const { document } = pen;
  const { left, top } = PAGE;
  const size = 26;
  document.markContent("Artifact", { type: "Layout" } as never);
  document.save();
  document.roundedRect(left, top - 7, size, size, 5.5).clip();
  document.image(readLogo(), left, top - 7, { width: size, height: size });
  document.restore();
  document.endMarkedContent();
  writeText(pen, name, { x: left + size + 9, y: top - 2, size: 12.5, weight: "bold" });
}

function drawFooters(document: PdfDocument, footer: DocumentOptions["footer"]): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    document.markContent("Artifact", { type: "Pagination" } as never);
    document.moveTo(PAGE.left, PAGE.bottom + 12).lineTo(PAGE.right, PAGE.bottom + 12);
    document.lineWidth(0.75).strokeColor(hairline).stroke();
    document.font("regular").fontSize(8.5).fillColor(muted);
    for (const [index, line] of footer(`page ${page + 1} of ${count}`).entries())
      document.text(line, PAGE.left, PAGE.bottom + 22 + 13 * index, { width: WIDTH, lineBreak: false });
    document.endMarkedContent();
  }
}

/** Creates a tagged A4 document. `issuedAt` becomes its creation date, so the same invoice always produces the same file. */
export function openDocument(info: { title: string; author: string; issuedAt: Date }): PdfDocument {
  const document = new PDFDocument({
    size: "A4",
    margins: { top: PAGE.top, bottom: 0, left: PAGE.left, right: PAGE.width - PAGE.right },
    // Without this, pdfkit would load Helvetica.
    font: null as never,
    pdfVersion: "1.7",
    tagged: true,
    lang: "en-AU",
    displayTitle: true,
    bufferPages: true,
    info: { Title: info.title, Author: info.author, CreationDate: info.issuedAt },
  });
  for (const weight of ["regular", "semibold", "bold"] as const)
    document.registerFont(weight, openFont("brand", weight) as never);
  return document;
}

/** Ends a document and returns the PDF file. */
export function toBytes(document: PdfDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => resolve(Buffer.concat(parts)));
    document.on("error", reject);
    document.end();
  });
}
