import { sandboxPrefix } from "#schema/sandbox-codes.ts";
import { hasValidChecksum, generateCheckedCharacters, normaliseCharacters } from "./checked-characters.ts";

const SUPPORT_CODE_CHARACTERS = 7;
const supportCodeShape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * Returns a new support code: `S-`, seven random characters and a checksum. Customers give it to staff by phone or
 * email to identify a licence; it can't be used in the add-in. A unique constraint rejects duplicates.
 */
export function generateSupportCode(): string {
  return `S-${generateCheckedCharacters(SUPPORT_CODE_CHARACTERS)}`;
}

/** Returns a typed or pasted support code in its stored form, or null if it can't be a support code. */
export function parseSupportCode(typed: string): string | null {
  // No support code is this long.
  if (typed.length > 40) return null;
  const characters = normaliseCharacters(typed);
  return supportCodeShape.test(characters) && hasValidChecksum(characters.slice(1)) ? `S-${characters.slice(1)}` : null;
}

const LICENCE_CODE_CHARACTERS = 29;
const licenceCodeShape = /^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/;

/**
 * Returns a new licence code: 29 random characters (145 bits) and a checksum, in six groups of five separated by dashes
 * (docs/domain.md#licence-code). Codes are stored, compared and shown only in this form. Never returns a sandbox code.
 */
export function generateLicenceCode(draw: (count: number) => string = generateCheckedCharacters): string {
  let code: string;
  do code = groupByFive(draw(LICENCE_CODE_CHARACTERS));
  while (code.startsWith(sandboxPrefix));
  return code;
}

/**
 * Formats a typed code as a licence code: converts it to upper case, replaces O with 0 and I and L with 1, removes
 * spaces and dashes of any kind, and groups by five. Doesn't check whether it is a code.
 */
export function normaliseLicenceCode(typed: string): string {
  return groupByFive(normaliseCharacters(typed));
}

/** Returns whether a normalised code has 30 characters and a correct checksum. */
export function isWellFormedLicenceCode(code: string): boolean {
  return licenceCodeShape.test(code) && hasValidChecksum(code.replaceAll("-", ""));
}

function groupByFive(characters: string): string {
  return characters.match(/.{1,5}/gsu)?.join("-") ?? "";
}
