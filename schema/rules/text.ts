import { number, string, type StringSchema } from "yup";

/**
 * Creates a rule for the revision that a form was loaded with. Without it, as from documented clients, the last write
 * wins.
 */
export const revision = () =>
  number().typeError("Must be a number.").integer("Must be a whole number.").min(1).max(2_147_483_647);

// PostgreSQL rejects NUL, and unpaired surrogates in JSON. The other control characters are sent only by mistake or
// with bad intent.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/u;
const lineBreaks = /[\r\n\t]/;

/** Creates a rule for one line of text: trimmed, without control characters, at most `max` characters. */
export function line(max = 200, tooLong = `Must be at most ${max} characters.`): StringSchema<string | undefined> {
  return createTextRule((value) => !controlCharacters.test(value) && !lineBreaks.test(value)).max(max, tooLong);
}

/** Creates a rule for several lines of text: trimmed, without control characters except line breaks and tabs. */
export function paragraphs(max: number, tooLong: string): StringSchema<string | undefined> {
  return createTextRule((value) => !controlCharacters.test(value)).max(max, tooLong);
}

function createTextRule(isAllowed: (value: string) => boolean): StringSchema<string | undefined> {
  return string()
    .strict(false)
    .transform((value: unknown, original: unknown) => (typeof original === "string" ? original.trim() : value))
    .typeError("Must be text.")
    .test("wire-text", "Must be text.", function wireText() {
      const original = this.originalValue as unknown;
      return original === undefined || original === null || typeof original === "string";
    })
    .test(
      "control-characters",
      "Contains characters that are not allowed.",
      (value) => value === undefined || value === null || isAllowed(value),
    ) as StringSchema<string | undefined>;
}

/** Creates a rule for a first or last name of 2 to 30 characters. Both use the same messages about length. */
export function personName(required: string) {
  return line(30, "First name is too long.").required(required).min(2, "First name must have at least 2 characters.");
}

// Similar to browsers' rules for email fields. The confirmation email is the real check.
const emailShape =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

/** Creates a rule for an email address of at most 254 characters (RFC 5321), with the messages of the form. */
export function emailAddress(required: string, invalid = "Invalid email address") {
  return (
    line(254, invalid)
      .required(required)
      .matches(emailShape, { message: invalid, excludeEmptyString: true })
      // Addresses are compared in lower case, in which some letters are longer.
      .test("length-in-lower-case", invalid, (value) => !value || value.toLowerCase().length <= 254)
  );
}
