// Text that people type or paste has one meaning in every spelling. All rules read text through here.

/** Scripts in which a zero-width joiner or non-joiner changes the shape of a word. */
const joiningScripts =
  "Arab Syrc Mand Mong Nkoo Phag Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"
    .split(" ")
    .map((script) => `\\p{scx=${script}}`)
    .join("");

const anyInvisible =
  /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC\u0080-\u0084\u0086-\u009F\u{13430}-\u{13440}\u{1D159}]/u;
/** Invisible characters that were meant, followed by all other invisible characters. Only the first group is kept. */
const meantOrInvisible = new RegExp(
  [
    "(",
    // Flags of regions, such as Scotland's, are spelled in invisible letters.
    "\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,8}\\u{E007F}",
    // Families, professions and other joined emoji.
    "|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})",
    "|(?<=[\\p{Extended_Pictographic}\\p{Regional_Indicator}])[\\uFE0E\\uFE0F]",
    "|(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
    // Joiners in the middle of a word, and after the sign that Indic scripts put between consonants.
    `|(?<=(?=[\\p{L}\\p{M}])[${joiningScripts}])[\\u200C\\u200D](?=(?=[\\p{L}\\p{M}])[${joiningScripts}])`,
    `|(?<=(?=\\p{Mn})[${joiningScripts}])[\\u200C\\u200D]`,
    // Variants of Chinese and Mongolian characters.
    "|(?<=\\p{scx=Hani})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]",
    "|(?<=\\p{scx=Mong})[\\u180B-\\u180D\\u180F]",
    // Rules reject this one instead, because the text without it isn't the text that was seen.
    "|\\u202E",
    ")",
    `|${anyInvisible.source}`,
  ].join(""),
  "gu",
);

/**
 * Cleans a text without changing what it says: composes accented letters (NFC), removes characters that can't be seen
 * or that change the direction of writing, and replaces unusual spaces, line separators and full-width digits with the
 * usual ones. Keeps the invisible characters that emoji and some scripts need.
 */
export function cleanText(text: string): string {
  // Most text is plain.
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  const visible = anyInvisible.test(text)
    ? text.replace(meantOrInvisible, (_all, meant?: string) => meant ?? "")
    : text;
  return visible
    .replace(/[\p{Zs}\u2800]/gu, " ")
    .replace(/[\u0085\u2028\u2029]/g, "\n")
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 48))
    .normalize("NFC");
}

/**
 * Cleans a text that is written in digits and signs, such as a phone number, date or amount: also accepts full-width
 * signs, every kind of dash, and the digits of all scripts.
 */
export function cleanNumber(text: string): string {
  // Most numbers are plain.
  if (/^[\u0021-\u007e]*$/.test(text)) return text;
  return (
    text
      .normalize("NFKC")
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
      // Japanese keyboards type a minus, or the sign of a long vowel, in place of a dash.
      .replace(/[\p{Pd}\u2212\u30FC]/gu, "-")
      .replace(/[^\P{Nd}0-9]/gu, toAsciiDigit)
      .replace(/\s+/g, " ")
      .trim()
  );
}

const dayFirst = /^(?<day>\d{1,2}) ?[ /.-] ?(?<month>\d{1,2}) ?[ /.-] ?(?<year>\d{4})$/;
const yearFirst = /^(?<year>\d{4}) ?[ /.-] ?(?<month>\d{1,2}) ?[ /.-] ?(?<day>\d{1,2})$/;

/**
 * Reads a day that people or spreadsheets write with its day or its year first, such as `5/3/2026`, `05 03 2026` and
 * `2026/3/5`, as `YYYY-MM-DD`. Returns null for another text. The day may not be in the calendar.
 */
export function readTypedDay(text: string): string | null {
  const typed = cleanNumber(text);
  const { day = "", month = "", year } = (dayFirst.exec(typed) ?? yearFirst.exec(typed))?.groups ?? {};
  return year === undefined ? null : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Cleans a text that is compared with others, such as an address or a code: its letters have one width and form (NFKC). */
export function cleanKey(text: string): string {
  return cleanText(text)
    .normalize("NFKC")
    .replace(/\p{Pd}/gu, "-")
    .replace(/[\u200c\u200d]/g, "")
    .trim();
}

/**
 * Cleans an email address like {@link cleanKey}, and writes an international domain in ASCII (`xn--…`). Chrome does the same in
 * fields for email addresses only, so a customer's address would depend on the field and the browser.
 */
export function cleanEmail(text: string): string {
  const address = cleanKey(text);
  const [, name = "", domain = ""] = /^(.*@)([\p{L}\p{M}\p{N}.-]+)$/su.exec(address) ?? [];
  const isAscii = /^[\u0000-\u007f]*$/.test(domain);
  return isAscii || !URL.canParse(`https://${domain}`) ? address : `${name}${new URL(`https://${domain}`).hostname}`;
}

/** Replaces quotation marks, apostrophes and dashes as phones and word processors type them with those of a keyboard. */
export function straightenSigns(text: string): string {
  return text
    .replace(/[“”„‟«»＂]/g, '"')
    .replace(/[‘’‚‛＇]/g, "'")
    .replace(/[\p{Pd}\u2212]/gu, "-");
}

/** Converts a digit of any script. The ten digits of a script follow each other. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Counts characters as a reader does: a letter with its accents is one, and so is an emoji. */
export function countCharacters(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}

/** Removes characters from the end of a text. A pattern such as `/x+$/` would read a hostile text again and again. */
export function trimEnd(text: string, unwanted: string): string {
  let end = text.length;
  while (end > 0 && unwanted.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
