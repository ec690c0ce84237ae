import { FEWEST_SEARCHED } from "#schema/limits.ts";
import { isAbn } from "#schema/rules/invoice.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  readSupportCode,
} from "#api/licensing/licences/licence-code.ts";

/** What a typed text may name; a text may be several of these at once. */
export interface ReadSearch {
  /** Normalised, checksum right. */
  readonly licenceCode: string | null;
  readonly supportCode: string | null;
  /** `100001` or `A-100001`. */
  readonly invoiceNumber: string | null;
  /** As it is stored: `99 999 999 999`. */
  readonly abn: string | null;
  /** Lower case; the beginning of an email address. */
  readonly email: string | null;
  /** Lower case; the beginning of a name, of a machine or a person. */
  readonly name: string | null;
  /** Said where nothing is found. */
  readonly hint: string | null;
}

const invoiceShape = /^(?:tax\s+)?(?:invoice|inv|adjustment(?:\s+note)?)?[\s#:.-]*?(a[\s-]?)?(\d{1,12})(?:\.pdf)?$/i;
const codeShape = /^[0-9A-HJKMNP-TV-Z]{30}$/;
const supportShape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/** Says what a text may be, by its shape alone: each is then looked up where it can be. Null when it is too short. */
export function readSearch(typed: string): ReadSearch | null {
  const text = typed.trim();
  if (text.length < FEWEST_SEARCHED) return null;
  const code = normaliseLicenceCode(text);
  const [, isAdjustment, number] = invoiceShape.exec(text) ?? [];
  const digits = text.replace(/[\s.-]/g, "");
  const lower = text.toLowerCase();
  return {
    licenceCode: isWellFormedLicenceCode(code) ? code : null,
    supportCode: readSupportCode(text),
    invoiceNumber: number ? `${isAdjustment ? "A-" : ""}${number}` : null,
    abn: isAbn(digits) ? digits.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4") : null,
    email: /\s/.test(text) ? null : lower,
    name: text.includes("@") ? null : lower,
    hint: hintFor(code.replaceAll("-", ""), digits),
  };
}

function hintFor(code: string, digits: string): string | null {
  // Letters alone are words, not a code read aloud.
  if (codeShape.test(code) && /\d/.test(code))
    return "This looks like a licence code, but no licence has it: a character may be mistyped.";
  if (supportShape.test(code))
    return "This looks like a support code, but no licence has it: a character may be mistyped.";
  if (/^\d{11}$/.test(digits) && !isAbn(digits)) return "This looks like an ABN, but its check digits don’t fit.";
  return null;
}
