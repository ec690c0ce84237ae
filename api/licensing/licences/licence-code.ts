import { sandboxPrefix } from "#schema/sandbox-codes.ts";
import { isChecked, newCheckedCharacters, readTypedCharacters } from "./checked-characters.ts";

const SUPPORT_CODE_CHARACTERS = 7;
const supportCodeShape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * A new support code, `S-` and seven random characters with a checksum: names a licence to the vendor's staff,
 * by telephone or in a mail, and gives nobody the right to use it. The database refuses a second one alike.
 */
export function newSupportCode(): string {
  return `S-${newCheckedCharacters(SUPPORT_CODE_CHARACTERS)}`;
}

/** The support code that a person typed or pasted, as it is stored; null when it can't be one. */
export function readSupportCode(typed: string): string | null {
  // Longer texts are no code, whatever they are made of.
  if (typed.length > 40) return null;
  const characters = readTypedCharacters(typed);
  return supportCodeShape.test(characters) && isChecked(characters.slice(1)) ? `S-${characters.slice(1)}` : null;
}

const LICENCE_CODE_CHARACTERS = 29;
const licenceCodeShape = /^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/;

/**
 * A new licence code: 29 random characters (145 bits) and a checksum, in six groups of five joined with
 * dashes (docs/domain.md#licence-code). This written form is the only one stored, compared and shown. Never a sandbox
 * code.
 */
export function newLicenceCode(draw: (count: number) => string = newCheckedCharacters): string {
  let code: string;
  do code = inGroups(draw(LICENCE_CODE_CHARACTERS));
  while (code.startsWith(sandboxPrefix));
  return code;
}

/**
 * What a person typed, as the code is written: upper case, O as 0, I and L as 1, spaces and dashes of any
 * kind dropped, in groups of five. Says nothing about whether it is a code.
 */
export function normaliseLicenceCode(typed: string): string {
  return inGroups(readTypedCharacters(typed));
}

/** Whether a normalised code has 30 characters and the right checksum. */
export function isWellFormedLicenceCode(code: string): boolean {
  return licenceCodeShape.test(code) && isChecked(code.replaceAll("-", ""));
}

function inGroups(characters: string): string {
  return characters.match(/.{1,5}/gsu)?.join("-") ?? "";
}
