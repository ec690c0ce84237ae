import { isChecked, newCheckedCharacters, readTypedCharacters } from "./checked-characters.ts";

const RANDOM_CHARACTERS = 7;
const shape = /^S[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * A new support code, `S-` and seven random characters with a checksum: names a licence to the vendor's staff,
 * by telephone or in a mail, and gives nobody the right to use it. The database refuses a second one alike.
 */
export function newSupportCode(): string {
  return `S-${newCheckedCharacters(RANDOM_CHARACTERS)}`;
}

/** The support code that a person typed or pasted, as it is stored; null when it can't be one. */
export function readSupportCode(typed: string): string | null {
  // Longer texts are no code, whatever they are made of.
  if (typed.length > 40) return null;
  const characters = readTypedCharacters(typed);
  return shape.test(characters) && isChecked(characters.slice(1)) ? `S-${characters.slice(1)}` : null;
}
