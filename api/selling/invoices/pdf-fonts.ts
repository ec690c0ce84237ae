import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import PDFDocument from "pdfkit";

/** Weights of the brand's typeface. */
export type Weight = "regular" | "semibold" | "bold";

/** What is used of an opened typeface; pdfkit's types do not know that it takes one. */
export interface OpenFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Characters of a text that follow each other in one typeface. */
export interface Run {
  readonly text: string;
  /** `brand`, or the name of a fallback. */
  readonly typeface: Typeface;
}

const require = createRequire(import.meta.url);
/** Returns the path of a font in a fallback's package. @param entry path of the package's entry */
const besideEntry = (entry: string, file: string) => join(dirname(entry), "..", "fonts", file);

/**
 * Typefaces in the order in which a character is looked up: the brand's, Noto Sans for Greek, Cyrillic and rare Latin,
 * then Japanese, Chinese (simplified and traditional) and Korean.
 */
const files = {
  brand: (weight: Weight) =>
    ({
      regular: () => require.resolve("@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf"),
      semibold: () => require.resolve("@expo-google-fonts/hanken-grotesk/600SemiBold/HankenGrotesk_600SemiBold.ttf"),
      bold: () => require.resolve("@expo-google-fonts/hanken-grotesk/700Bold/HankenGrotesk_700Bold.ttf"),
    })[weight](),
  latin: (weight: Weight) =>
    besideEntry(require.resolve("@embedpdf/fonts-latin"), `NotoSans-${fallbackWeight(weight)}.ttf`),
  japanese: (weight: Weight) =>
    besideEntry(require.resolve("@embedpdf/fonts-jp"), `NotoSansJP-${fallbackWeight(weight)}.otf`),
  chinese: (weight: Weight) =>
    besideEntry(require.resolve("@embedpdf/fonts-sc"), `NotoSansHans-${fallbackWeight(weight)}.otf`),
  korean: (weight: Weight) =>
    besideEntry(require.resolve("@embedpdf/fonts-kr"), `NotoSansKR-${fallbackWeight(weight)}.otf`),
};
const fallbackWeight = (weight: Weight) => (weight === "regular" ? "Regular" : "Bold");
export type Typeface = keyof typeof files;
const typefaces = Object.keys(files) as Typeface[];

const opened = new Map<string, OpenFont>();

/** Opens a typeface when it is first needed, once a process: opening it costs ten times a document. */
export function openFont(typeface: Typeface, weight: Weight): OpenFont {
  const key = `${typeface} ${weight}`;
  const known = opened.get(key);
  if (known) return known;
  const document = new PDFDocument({ font: null as never });
  document.font(readFileSync(files[typeface](weight)));
  const font = (document as unknown as { _font: { font: OpenFont } })._font.font;
  opened.set(key, font);
  return font;
}

/** Returns the weights of the brand's typeface. */
export function brandFonts(): Readonly<Record<Weight, OpenFont>> {
  return {
    regular: openFont("brand", "regular"),
    semibold: openFont("brand", "semibold"),
    bold: openFont("brand", "bold"),
  };
}

/** The characters of most invoices, which the brand's typeface has. */
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const has = (typeface: Typeface, character: string) =>
  openFont(typeface, "regular").hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Returns the first typeface that has a character; null if none does. */
function typefaceOf(character: string): Typeface | null {
  return typefaces.find((typeface) => has(typeface, character)) ?? null;
}

/**
 * Returns a text in characters that the typefaces have: full-width letters and ligatures in their plain form, marks that
 * cannot be drawn left out, and `?` for any other character that none of them has.
 */
export function printable(text: string): string {
  if (isAscii(text)) return text;
  return Array.from(text.normalize("NFC"))
    .map((character) => {
      if (/\s/.test(character)) return has("brand", character) ? character : " ";
      if (has("brand", character)) return character;
      const plain = character.normalize("NFKC");
      if (Array.from(plain).every((one) => has("brand", one))) return plain;
      if (typefaceOf(character)) return character;
      return /[\p{M}\p{Cf}\p{Cc}]/u.test(character) ? "" : "?";
    })
    .join("");
}

/** Whether a text has characters that are drawn as `?`. */
export function hasUnprintable(text: string): boolean {
  if (isAscii(text)) return false;
  const marks = (one: string) => one.split("?").length;
  return marks(printable(text)) > marks(text.normalize("NFKC"));
}

/**
 * Splits a printable text by typeface. Han characters follow their neighbours: a name with hangul is set in the Korean
 * typeface, and one with a character that Japanese lacks in the Chinese one.
 */
export function runsOf(text: string): Run[] {
  const characters = Array.from(text);
  const east = (["japanese", "chinese", "korean"] as const).find((typeface) =>
    characters.every((one) => has("brand", one) || has("latin", one) || has(typeface, one)),
  );
  const runs: { text: string; typeface: Typeface }[] = [];
  for (const character of characters) {
    const first = typefaceOf(character) ?? "brand";
    const typeface = east && first !== "brand" && first !== "latin" ? east : first;
    const last = runs.at(-1);
    if (last?.typeface === typeface) last.text += character;
    else runs.push({ text: character, typeface });
  }
  return runs;
}

/** Whether the brand's typeface has every character of a text, so that no other one is opened. */
export function isBrandOnly(text: string): boolean {
  return isAscii(text) || Array.from(text).every((character) => /\s/.test(character) || has("brand", character));
}
