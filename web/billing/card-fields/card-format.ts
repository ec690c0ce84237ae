import { cleanNumber } from "#schema/clean-text.ts";

/** Returns the digits in a text, of any script, at most `most` of them. */
export function getDigits(text: string, most = 19): string {
  return cleanNumber(text).replaceAll(/\D/g, "").slice(0, most);
}

const isAmex = (digits: string): boolean => /^3[47]/.test(digits);

/** Formats as `4242 4242 4242 4242`, or `3782 822463 10005` for American Express. */
export function formatCardNumber(text: string): string {
  if (isAmex(getDigits(text))) {
    const digits = getDigits(text, 15);
    return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].filter(Boolean).join(" ");
  }
  return (getDigits(text).match(/.{1,4}/g) ?? []).join(" ");
}

/** Formats as `MM/YY`. Accepts `1/`, `1-30`, `5`, `12 / 2030` and the formats that browsers autofill. */
export function formatExpiry(text: string): string {
  const short = /^(\d) ?[/.-](.*)$/.exec(cleanNumber(text));
  const all = getDigits(short ? `0${short[1]}${short[2]}` : text, 6);
  const digits = /^[2-9]/.test(all) ? `0${all}`.slice(0, 6) : all;
  const year = digits.length === 6 ? digits.slice(4) : digits.slice(2, 4);
  if (short && year === "") return `${digits.slice(0, 2)}/`;
  return year === "" ? digits.slice(0, 2) : `${digits.slice(0, 2)}/${year}`;
}

/** Keeps up to four digits. */
export function formatCvc(text: string): string {
  return getDigits(text, 4);
}

/** Returns `complete`, `incomplete`, `wrong` for a wrong check digit, or an empty string for no digits. */
export function getCardNumberState(text: string): string {
  const digits = getDigits(text);
  if (digits === "") return "";
  if (digits.length < 13) return "incomplete";
  if (hasValidCheckDigit(digits)) return "complete";
  return digits.length < (isAmex(digits) ? 15 : 16) ? "incomplete" : "wrong";
}

/** Returns `complete`, `incomplete`, `wrong`, `past` (after the end of the month), or an empty string for no digits. */
export function getExpiryState(text: string, now = new Date()): string {
  const digits = getDigits(text, 4);
  if (digits === "") return "";
  if (digits.length < 4) return "incomplete";
  const { month, year } = parseExpiry(text);
  if (month < 1 || month > 12) return "wrong";
  return new Date(year, month, 1) <= now ? "past" : "complete";
}

/** Parses `MM/YY` to the month (1–12) and full year. */
export function parseExpiry(text: string): { month: number; year: number } {
  const digits = getDigits(text, 4);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** Returns `complete` for three or four digits, `incomplete` for fewer, or an empty string for none. */
export function getCvcState(text: string): string {
  const digits = getDigits(text, 4);
  if (digits === "") return "";
  return digits.length < 3 ? "incomplete" : "complete";
}

/** Returns the caret position in reformatted text, after the same number of digits as before. */
export function getCaretAfterDigits(text: string, digits: number): number {
  let seen = 0;
  for (let place = 0; place < text.length; place++) {
    if (seen === digits) return place;
    if (/\d/.test(text[place] ?? "")) seen++;
  }
  return text.length;
}

/** Validates the check digit of a card number (ISO/IEC 7812). */
function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
