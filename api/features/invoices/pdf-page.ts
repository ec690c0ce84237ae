import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";

/** Weights of the one typeface. */
export type Weight = "regular" | "semibold" | "bold";

/** What of an opened typeface is used here; pdfkit's types do not know that it takes one. */
interface OpenFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

let opened: Readonly<Record<Weight, OpenFont>> | undefined;

/** Opens the typeface once a process: doing so for every document would cost ten times the document. */
function openFonts(): Readonly<Record<Weight, OpenFont>> {
  if (opened) return opened;
  const require = createRequire(import.meta.url);
  const open = (file: string): OpenFont => {
    const document = new PDFDocument({ font: null as never });
    document.font(readFileSync(file));
    return (document as unknown as { _font: { font: OpenFont } })._font.font;
  };
  opened = {
    regular: open(require.resolve("@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf")),
    semibold: open(require.resolve("@expo-google-fonts/hanken-grotesk/600SemiBold/HankenGrotesk_600SemiBold.ttf")),
    bold: open(require.resolve("@expo-google-fonts/hanken-grotesk/700Bold/HankenGrotesk_700Bold.ttf")),
  };
  return opened;
}

/** A4 in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 56, bottom: 760 } as const;

export type PdfDocument = InstanceType<typeof PDFDocument>;
export type Structure = PDFKit.PDFStructureElement;

/** A new tagged A4 document in the typeface; `issuedAt` is its date, so that the same invoice gives the same file. */
export function openDocument(info: { title: string; author: string; issuedAt: Date }): PdfDocument {
  const fonts = openFonts();
  const document = new PDFDocument({
    size: "A4",
    margins: { top: PAGE.top, bottom: 0, left: PAGE.left, right: PAGE.width - PAGE.right },
    // Without a value pdfkit would load Helvetica.
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

/** The document as bytes, once everything was drawn. */
export function bytesOf(document: PdfDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => resolve(Buffer.concat(parts)));
    document.on("error", reject);
    document.end();
  });
}

/**
 * A text in the characters that the typeface has: others in their plainer form where there is one (full-width letters,
 * ligatures), and what is left as it is, which prints as boxes.
 */
export function printable(text: string): string {
  const { regular } = openFonts();
  const has = (character: string) => regular.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  return Array.from(text)
    .map((character) => {
      if (has(character)) return character;
      const plainer = character.normalize("NFKC");
      return Array.from(plainer).every(has) ? plainer : character;
    })
    .join("");
}

/** Whether a text has characters that print as boxes. */
export function hasUnprintable(text: string): boolean {
  const { regular } = openFonts();
  return Array.from(printable(text)).some((character) => !regular.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}
