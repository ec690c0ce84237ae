import { hasUnprintable, PAGE, type PdfDocument, printable, type Structure, type Weight } from "./pdf-page.ts";

export const ink = "#10201d";
export const muted = "#4c5f5a";
export const hairline = "#cfd9d5";
const accent = "#0e7d66";
const milestone = "#f0a202";

/** Width between the margins, in points. */
export const WIDTH = PAGE.right - PAGE.left;

/** Where the next thing is drawn, and what it belongs to for a screen reader. */
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
  /** Role in the tagged document, default a paragraph. */
  role?: string;
  parent?: Structure;
}

/** Draws a text and gives its height in points. */
export function write(pen: Pen, text: string, options: TextOptions = {}): number {
  const { document, root } = pen;
  const { x = PAGE.left, y = pen.y, width = WIDTH, size = 10, weight = "regular", colour = ink } = options;
  const { align = "left", role = "P", parent = root } = options;
  const shown = printable(text);
  const look = { width, align, lineGap: 2 };
  const height = document.font(weight).fontSize(size).heightOfString(shown, look);
  const actual = hasUnprintable(text) ? { actual: text } : {};
  parent.add(
    document.struct(role, actual, () => {
      document.font(weight).fontSize(size).fillColor(colour).text(shown, x, y, look);
    }),
  );
  return height;
}

/** A line across, which means nothing to a screen reader. */
export function rule(pen: Pen, y: number, from: number = PAGE.left, weight = 0.75, colour = hairline): void {
  const { document } = pen;
  document.markContent("Artifact", { type: "Layout" } as never);
  document.moveTo(from, y).lineTo(PAGE.right, y).lineWidth(weight).strokeColor(colour).stroke();
  document.endMarkedContent();
}

/** The brand's schedule: two bars and a milestone. */
export function drawMark(document: PdfDocument): void {
  const { left, top } = PAGE;
  document.markContent("Artifact", { type: "Layout" } as never);
  document.roundedRect(left, top, 24, 5, 2.5).fill(accent);
  document
    .roundedRect(left + 12, top + 8, 22, 5, 2.5)
    .fillOpacity(0.45)
    .fill(accent)
    .fillOpacity(1);
  document
    .moveTo(left + 42, top + 6.5)
    .lineTo(left + 46, top + 10.5)
    .lineTo(left + 42, top + 14.5)
    .lineTo(left + 38, top + 10.5)
    .fill(milestone);
  document.endMarkedContent();
}

/** A row of a table for screen readers; whoever drew it ends it. */
export function tableRow({ document }: Pen, table: Structure): Structure {
  const row = document.struct("TR");
  table.add(row);
  return row;
}

/** Goes on at the top of a new page. */
export function nextPage(pen: Pen): void {
  pen.document.addPage();
  pen.y = PAGE.top;
}
