import PDFDocument from "pdfkit";
import { openBrandFonts } from "./pdf-fonts.ts";

/** A4 page and margins in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 56, bottom: 760 } as const;

export type PdfDocument = InstanceType<typeof PDFDocument>;
export type Structure = PDFKit.PDFStructureElement;

/** Creates a tagged A4 document. `issuedAt` becomes its creation date, so the same invoice always produces the same file. */
export function openDocument(info: { title: string; author: string; issuedAt: Date }): PdfDocument {
  const fonts = openBrandFonts();
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
  for (const [weight, font] of Object.entries(fonts)) document.registerFont(weight, font as never);
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
