import { MIN_SEARCH_CHARACTERS } from "#schema/limits.ts";
import { formatAbn, isAbn } from "#schema/billing-details.ts";
import { cleanEmail, straightenSigns } from "#schema/clean-text.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  parseSupportCode,
} from "#api/licensing/licences/licence-code.ts";

/** Possible meanings of search text. More than one can apply. */
export interface ParsedSearch {
  /** Licence code, normalised and with a valid checksum. */
  readonly licenceCode: string | null;
  readonly supportCode: string | null;
  /** Invoice number, such as `100001` or `A-100001`. */
  readonly invoiceNumber: string | null;
  /** ABN in the stored format `99 999 999 999`. */
  readonly abn: string | null;
  /** Start of an email address, in lower case. */
  readonly email: string | null;
  /** Start of a user's, contact's or machine's name, in lower case. */
  readonly name: string | null;
  /** Hint shown if nothing is found. */
  readonly hint: string | null;
}

const invoiceShape =
  /^(?:tax\s+(?=\S))?(?:invoice|inv|adjustment(?:\s+note)?)?[\s#:.-]*?(a[\s-]?)?(\d{1,12})(?:\.pdf)?$/i;
const codeShape = /^[0-9A-HJKMNP-TV-Z]{30}$/;
const supportShape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/** Classifies search text by its format, without lookups; null if the text is too short. */
export function parseSearch(typed: string): ParsedSearch | null {
  const text = typed.trim();
  if (text.length < MIN_SEARCH_CHARACTERS) return null;
  const code = normaliseLicenceCode(text);
  const [, isAdjustment, number] = invoiceShape.exec(straightenSigns(text)) ?? [];
  const lower = text.toLowerCase();
  return {
    licenceCode: isWellFormedLicenceCode(code) ? code : null,
    supportCode: parseSupportCode(text),
    invoiceNumber: number ? `${isAdjustment ? "A-" : ""}${number}` : null,
    abn: formatAbn(text),
    email: /\s/.test(text) ? null : cleanEmail(text).toLowerCase(),
    name: text.includes("@") ? null : lower,
    hint: getHint(code.replaceAll("-", ""), text),
  };
}

function getHint(code: string, text: string): string | null {
  // Text without digits is more likely a word than a code.
  if (codeShape.test(code) && /\d/.test(code))
    return "This looks like a licence code, but no licence has it. Check for mistyped characters.";
  if (supportShape.test(code))
    return "This looks like a support code, but no licence has it. Check for mistyped characters.";
  if (/^\d{11}$/.test(text.replace(/[\s.-]/g, "")) && !isAbn(text))
    return "This looks like an ABN, but its check digits are wrong. Check for mistyped digits.";
  return null;
}
