import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import PDFDocument from "pdfkit";

/** Weights of the brand's typeface. */
export type Weight = "regular" | "semibold" | "bold";

/** The part of pdfkit's font object that is used here; its types don't include it. */
interface OpenFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string): unknown;
}

/** A sequence of characters drawn in one typeface. */
export interface Run {
  readonly text: string;
  /** `brand`, or the name of a fallback typeface. */
  readonly typeface: Typeface;
}

const require = createRequire(import.meta.url);
/** Returns the path of a font file in a fallback typeface's package. @param entry path of the package's entry point */
const fontPath = (entry: string, file: string) => join(dirname(entry), "..", "fonts", file);

/** Scripts with a package of Noto Sans each. */
const scripts = [
  "arabic",
  "armenian",
  "bengali",
  "devanagari",
  "ethiopic",
  "georgian",
  "gujarati",
  "gurmukhi",
  "hebrew",
  "kannada",
  "khmer",
  "lao",
  "malayalam",
  "myanmar",
  "sinhala",
  "tamil",
  "telugu",
  "thai",
] as const;
const scriptFiles = Object.fromEntries(
  scripts.map((script) => [
    script,
    (weight: Weight) =>
      require.resolve(
        `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight === "regular" ? 400 : 700}-normal.woff`,
      ),
  ]),
) as Record<(typeof scripts)[number], (weight: Weight) => string>;

/**
 * Typefaces in order of preference: the brand's, Noto Sans for Greek, Cyrillic and rare Latin, then other scripts, Japanese,
 * Chinese (simplified and traditional) and Korean, and one with nearly all characters in one plain weight.
 */
export const fontFiles = {
  brand: (weight: Weight) =>
    ({
      regular: () => require.resolve("@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf"),
      semibold: () => require.resolve("@expo-google-fonts/hanken-grotesk/600SemiBold/HankenGrotesk_600SemiBold.ttf"),
      bold: () => require.resolve("@expo-google-fonts/hanken-grotesk/700Bold/HankenGrotesk_700Bold.ttf"),
    })[weight](),
  latin: (weight: Weight) =>
    fontPath(require.resolve("@embedpdf/fonts-latin"), `NotoSans-${fallbackWeight(weight)}.ttf`),
  ...scriptFiles,
  japanese: (weight: Weight) =>
    fontPath(require.resolve("@embedpdf/fonts-jp"), `NotoSansJP-${fallbackWeight(weight)}.otf`),
  chinese: (weight: Weight) =>
    fontPath(require.resolve("@embedpdf/fonts-sc"), `NotoSansHans-${fallbackWeight(weight)}.otf`),
  korean: (weight: Weight) =>
    fontPath(require.resolve("@embedpdf/fonts-kr"), `NotoSansKR-${fallbackWeight(weight)}.otf`),
  others: () => require.resolve("@fontsource/unifontex/files/unifontex-latin-400-normal.woff"),
};
const fallbackWeight = (weight: Weight) => (weight === "regular" ? "Regular" : "Bold");
export type Typeface = keyof typeof fontFiles;
const typefaces = Object.keys(fontFiles) as Typeface[];

const opened = new Map<string, OpenFont>();

/** Opens a typeface, caching it for the process, because opening it takes ten times as long as rendering a document. */
export function openFont(typeface: Typeface, weight: Weight): OpenFont {
  const key = `${typeface} ${weight}`;
  const known = opened.get(key);
  if (known) return known;
  const document = new PDFDocument({ font: null as never });
  document.font(readFileSync(fontFiles[typeface](weight)));
  const font = (document as unknown as { _font: { font: OpenFont } })._font.font;
  keepTables(font);
  opened.set(key, font);
  return font;
}

interface TableStream {
  readonly buffer: Uint8Array;
  readonly constructor: new (buffer: Uint8Array) => TableStream;
}

/** Makes a font keep its decompressed tables. The library would decompress a table again for each letter. */
function keepTables(font: OpenFont): void {
  const source = font as OpenFont & { stream: TableStream; _getTableStream: (tag: string) => TableStream | null };
  const read = source._getTableStream.bind(source);
  const tables = new Map<string, TableStream>();
  source._getTableStream = (tag) => {
    const table = tables.get(tag) ?? read(tag);
    if (!table || table === source.stream) return table;
    tables.set(tag, table);
    return new table.constructor(table.buffer);
  };
}

/** Returns true for plain ASCII, the text of most invoices, which the brand's typeface always covers. */
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const hasCharacter = (typeface: Typeface, character: string) =>
  openFont(typeface, "regular").hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Returns the first typeface that has a character; null if none does. */
function findTypeface(character: string): Typeface | null {
  return typefaces.find((typeface) => hasCharacter(typeface, character)) ?? null;
}

/**
 * Replaces characters that can't be drawn: full-width letters and ligatures become their plain forms, unsupported
 * combining marks are dropped, and any other unsupported character becomes `?`.
 */
export function replaceUnprintable(text: string): string {
  if (isAscii(text)) return text;
  return Array.from(text.normalize("NFC"))
    .map((character) => {
      if (/\s/.test(character)) return hasCharacter("brand", character) ? character : " ";
      if (hasCharacter("brand", character)) return character;
      const plain = character.normalize("NFKC");
      if (Array.from(plain).every((one) => hasCharacter("brand", one))) return plain;
      if (findTypeface(character)) return character;
      return /[\p{M}\p{Cf}\p{Cc}]/u.test(character) ? "" : "?";
    })
    .join("");
}

/** Returns true if some characters of the text will be drawn as `?`. */
export function hasUnprintable(text: string): boolean {
  if (isAscii(text)) return false;
  const countQuestionMarks = (one: string) => one.split("?").length;
  return countQuestionMarks(replaceUnprintable(text)) > countQuestionMarks(text.normalize("NFKC"));
}

const eastAsianTypefaces = ["japanese", "chinese", "korean"] as const;
const isJoined = (character: string) => /[\p{M}\p{Cf}]/u.test(character);

/**
 * Splits printable text into runs by typeface. Han characters use the typeface of the surrounding text: a name with
 * Hangul uses the Korean typeface, and a name with a character that the Japanese typeface lacks uses the Chinese
 * typeface.
 */
export function splitIntoRuns(text: string): Run[] {
  const characters = Array.from(text);
  const eastAsian = eastAsianTypefaces.find((typeface) =>
    characters.every((one) => hasCharacter("brand", one) || hasCharacter("latin", one) || hasCharacter(typeface, one)),
  );
  const runs: { text: string; typeface: Typeface }[] = [];
  for (const character of characters) {
    const last = runs.at(-1);
    const preferred = findTypeface(character) ?? "brand";
    const isHan = !isJoined(character) && eastAsianTypefaces.some((one) => one === preferred);
    const typeface = eastAsian && isHan ? eastAsian : preferred;
    // A mark is shaped together with its letter.
    const joinsLast = last !== undefined && isJoined(character) && hasCharacter(last.typeface, character);
    if (last && (joinsLast || last.typeface === typeface)) last.text += character;
    else runs.push({ text: character, typeface });
  }
  return runs.map(({ text, typeface }) => ({ text, typeface: canShape(typeface, text) ? typeface : "others" }));
}

/** Returns whether the PDF library can position a text. It fails with some accents of the Khmer and Gurmukhi typefaces. */
function canShape(typeface: Typeface, text: string): boolean {
  try {
    for (const weight of ["regular", "bold"] as const) openFont(typeface, weight).layout(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the brand's typeface covers the text, so no other typeface needs to be opened. */
export function isCoveredByBrandFont(text: string): boolean {
  return (
    isAscii(text) || Array.from(text).every((character) => /\s/.test(character) || hasCharacter("brand", character))
  );
}
