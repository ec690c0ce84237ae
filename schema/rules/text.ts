import { type StringSchema, string } from "yup";

// PostgreSQL refuses NUL, and half a surrogate pair in JSON; the other control characters only ever arrive
// by mistake or malice.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/u;
const lineBreaks = /[\r\n\t]/;

/** One line of text: trimmed, no control characters, at most `max` characters. */
export function line(max = 200, tooLong = `Must be at most ${max} characters.`): StringSchema<string | undefined> {
  return wireText((value) => !controlCharacters.test(value) && !lineBreaks.test(value)).max(max, tooLong);
}

/** Text of several lines: trimmed, no control characters but line breaks and tabs, at most `max` characters. */
export function paragraphs(max: number, tooLong: string): StringSchema<string | undefined> {
  return wireText((value) => !controlCharacters.test(value)).max(max, tooLong);
}

function wireText(isAllowed: (value: string) => boolean): StringSchema<string | undefined> {
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

/** First or last name: 2 to 30 characters; the last name reuses the first name's wording for length. */
export function personName(required: string) {
  return line(30, "First name is too long.").required(required).min(2, "First name must have at least 2 characters.");
}

// Deliberately close to what a browser's email field accepts; the confirmation mail is the real proof.
const emailShape =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

/** An email address of at most 254 characters (RFC 5321), with the form's own sentences. */
export function emailAddress(required: string, invalid = "Invalid email address") {
  return (
    line(254, invalid)
      .required(required)
      .matches(emailShape, { message: invalid, excludeEmptyString: true })
      // Addresses are compared in lower case, and that of some letters is longer.
      .test("length-in-lower-case", invalid, (value) => !value || value.toLowerCase().length <= 254)
  );
}
