/** Renders a legal text as a tagged A4 PDF with the same wording as its Markdown. */
import { lexer, type Token, type Tokens } from "marked";
import { replaceUnprintable } from "#api/billing/invoices/pdf-fonts.ts";
import {
  toBytes,
  openDocument,
  PAGE,
  type Structure,
  drawBrand,
  hairline,
  ink,
  muted,
  startNextPage,
  type Pen,
  drawRule,
  WIDTH,
  writeText,
} from "#api/billing/invoices/pdf-drawing.ts";
import { brand } from "#schema/brand.ts";

const SIZE = 10;
/** Width of the column with the clause numbers, in points. */
const HANG = 34;
const LETTER = 20;
/** Space a heading needs at the bottom of a page, in points. */
const WITH_HEADING = 66;
/** Space below a paragraph that introduces a list, in points. */
const WITH_LIST = 34;

/** A part of a paragraph with one style and an optional link. */
interface Run {
  text: string;
  bold?: boolean;
  link?: string;
  goTo?: string;
}

/** A legal text: the front matter of its file, and the Markdown below it. */
export interface LegalText {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Vendor = Pick<typeof brand, "name" | "company">;

/**
 * Renders a legal text as a PDF with the date of its last change. The same text always results in the same bytes.
 * @param vendor the company in the head and the footers
 * @throws Error if the text lacks its heading or date
 */
export async function renderLegalPdf({ fields, body }: LegalText, vendor: Vendor = brand): Promise<Buffer> {
  const { heading, updated, updatedLabel, intro } = fields;
  if (typeof heading !== "string" || typeof updated !== "string" || typeof updatedLabel !== "string")
    throw new Error("A legal text lacks its heading or its date.");
  const document = openDocument({ title: heading, author: vendor.company.legalName, issuedAt: new Date(updated) });
  const structure = document.struct("Document");
  document.addStructure(structure);
  const pen: Pen = { document, root: structure, y: PAGE.top };
  drawHead(pen, vendor, heading, updatedLabel, typeof intro === "string" ? intro : "");
  for (const token of lexer(body)) drawBlock(pen, token);
  structure.end();
  drawFooters(pen, vendor, heading, updatedLabel);
  return toBytes(document);
}

function drawHead(pen: Pen, vendor: Vendor, heading: string, updatedLabel: string, intro: string): void {
  drawBrand(pen, vendor.name);
  pen.y = PAGE.top + 48;
  pen.y += writeText(pen, heading, { size: 26, weight: "bold", role: "H1" }) + 8;
  pen.y += writeText(pen, updatedLabel, { size: SIZE, colour: muted }) + 14;
  drawRule(pen, pen.y);
  pen.y += 14;
  drawText(pen, toRuns(lexer(intro)[0]), { x: PAGE.left });
}

function drawBlock(pen: Pen, token: Token): void {
  if (token.type === "heading") drawHeading(pen, (token as Tokens.Heading).text);
  else if (token.type === "paragraph") drawParagraph(pen, toRuns(token));
  else if (token.type === "list") drawList(pen, token as Tokens.List);
  else if (token.type !== "space") throw new Error(`Unsupported Markdown in a legal text: ${token.raw}`);
}

function drawHeading(pen: Pen, text: string): void {
  pen.y += 10;
  makeRoom(pen, WITH_HEADING);
  const number = /^\d+/.exec(text)?.[0] ?? "";
  pen.document.addNamedDestination(`clause-${number}`, "XYZ", null, pen.y - 8, null);
  pen.document.outline.addItem(text);
  pen.y += writeText(pen, text, { size: 12.5, weight: "bold", role: "H2" }) + 4;
}

/** Draws a paragraph. A clause number such as 7.2 is drawn in the margin. */
function drawParagraph(pen: Pen, runs: Run[]): void {
  const [first, ...rest] = runs;
  const [whole = "", number = ""] = /^(\d+\.\d+)\s+/.exec(first?.text ?? "") ?? [];
  if (!first || !number) return drawText(pen, runs, { x: PAGE.left });
  const text = [{ ...first, text: first.text.slice(whole.length) }, ...rest];
  return drawText(pen, text, { x: PAGE.left + HANG, mark: number, markAt: PAGE.left, destination: `clause-${number}` });
}

function drawList(pen: Pen, list: Tokens.List): void {
  const structure = pen.document.struct("L");
  pen.root.add(structure);
  const markAt = PAGE.left + HANG;
  for (const item of list.items) {
    const runs = toRuns(item.tokens[0]);
    const [whole = "", letter = ""] = /^(\([a-z]\))\s+/.exec(runs[0]?.text ?? "") ?? [];
    if (runs[0]) runs[0] = { ...runs[0], text: runs[0].text.slice(whole.length) };
    drawText(pen, runs, { x: markAt + LETTER, mark: letter || "•", markAt, parent: structure, gap: 3 });
  }
  structure.end();
  pen.y += 3;
}

interface TextPlace {
  x: number;
  /** Number or letter before the text, and its position. */
  mark?: string;
  markAt?: number;
  destination?: string;
  /** Parent list, if the text is a list item. */
  parent?: Structure;
  gap?: number;
}

function drawText(pen: Pen, runs: Run[], { x, mark, markAt = x, destination, parent, gap = 6 }: TextPlace): void {
  const { document, root } = pen;
  const look = { width: PAGE.right - x, lineGap: 2.5 };
  const height = document
    .font("semibold")
    .fontSize(SIZE)
    .heightOfString(runs.map(({ text }) => replaceUnprintable(text)).join(""), look);
  makeRoom(pen, height + (runs.at(-1)?.text.endsWith(":") ? WITH_LIST : 0));
  if (destination) document.addNamedDestination(destination, "XYZ", null, pen.y - 8, null);
  const y = pen.y;
  const drawLabel = () => {
    document.font("semibold").fontSize(SIZE).fillColor(muted).text(`${mark} `, markAt, y, { lineBreak: false });
  };
  const drawRuns = () => {
    for (const [index, run] of runs.entries()) {
      const { text, bold, link = null, goTo = null } = run;
      document
        .font(bold ? "semibold" : "regular")
        .fontSize(SIZE)
        .fillColor(ink);
      const options = { ...look, continued: index < runs.length - 1, link, goTo, underline: Boolean(link) };
      if (index === 0) document.text(replaceUnprintable(text), x, y, options as never);
      else document.text(replaceUnprintable(text), options as never);
    }
  };
  if (parent) {
    const item = document.struct("LI");
    parent.add(item);
    item.add(document.struct("Lbl", {}, drawLabel));
    item.add(document.struct("LBody", {}, drawRuns));
    item.end();
  } else root.add(document.struct("P", {}, mark ? [drawLabel, drawRuns] : [drawRuns]));
  pen.y = document.y + gap;
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y + height > PAGE.bottom) startNextPage(pen);
}

/** Returns the parts of a paragraph. Links to the portal become plain text, because the PDF doesn't know the site's URL. */
function toRuns(token: Token | undefined): Run[] {
  const inline = (token as Tokens.Paragraph | undefined)?.tokens ?? [];
  const runs = inline.flatMap((part): Run[] => {
    const text = "text" in part && typeof part.text === "string" ? part.text : part.raw;
    const flat = text.replaceAll(/\s+/g, " ");
    if (part.type === "strong") return [{ text: flat, bold: true }];
    if (part.type === "link") {
      const { href } = part as Tokens.Link;
      return [/^(mailto|https):/.test(href) ? { text: flat, link: href } : { text: flat }];
    }
    return linkReferences(flat);
  });
  return runs.filter(({ text }) => text !== "");
}

/** Turns "clause 13.1" into a link to that clause. */
function linkReferences(text: string): Run[] {
  return text
    .split(/((?<=\bclauses? )\d+(?:\.\d+)?)/i)
    .map((part, index) => (index % 2 === 1 ? { text: part, goTo: `clause-${part}` } : { text: part }));
}

/** Draws the footer of every page: title, date and page number. */
function drawFooters({ document }: Pen, vendor: Vendor, heading: string, updatedLabel: string): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    document.markContent("Artifact", { type: "Pagination" } as never);
    document.moveTo(PAGE.left, PAGE.bottom + 14).lineTo(PAGE.right, PAGE.bottom + 14);
    document.lineWidth(0.75).strokeColor(hairline).stroke();
    document.font("regular").fontSize(8.5).fillColor(muted);
    const y = PAGE.bottom + 24;
    document.text(`${vendor.company.legalName} · ${heading} · ${updatedLabel}`, PAGE.left, y, { lineBreak: false });
    document.text(`Page ${page + 1} of ${count}`, PAGE.left, y, { width: WIDTH, align: "right", lineBreak: false });
    document.endMarkedContent();
  }
}
