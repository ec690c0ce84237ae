import { boolean, type Message, number, object, type Reference, string, StringSchema } from "yup";
import { cleanEmail, cleanKey, cleanNumber, cleanText, countCharacters } from "./clean-text.ts";
import { type ListEntry, listValues, type ValueOf } from "./closed-list.ts";

/** Returns the rule for an optional boolean. */
export const optionalCheckbox = () => boolean().strict().typeError("Must be true or false.");

/** Creates a rule for a number. As text, it is in digits of any script, such as `1,000` or `1 000`, without an exponent. */
export const numeric = <Value extends number = number>() =>
  number<Value>().transform((value: unknown, original: unknown) => {
    if (typeof original !== "string") return value;
    const typed = cleanNumber(original);
    const isNumber = /^[+-]?(?:\d+|\d{1,3}(?:[, ]\d{3})+)(?:\.\d+)?$/.test(typed);
    return isNumber ? Number(typed.replace(/[, ]/g, "")) : Number.NaN;
  });

/** Creates a rule like {@link numeric} for a field of a form, which is missing if it is empty. */
export const numericField = <Value extends number = number>() =>
  numeric<Value>().transform((value: unknown, original: unknown) =>
    original === null || (typeof original === "string" && original.trim() === "") ? undefined : value,
  );

/** Creates a rule for a text that is one of a closed list. GraphQL inputs use the enum of the list. */
export const textOfList = <List extends readonly ListEntry<string>[]>(list: List, wrong: string) =>
  string()
    .typeError(wrong)
    .oneOf(listValues(list), wrong)
    .meta({ list: () => list });

/** Creates a rule like {@link textOfList} for a number, which is missing if the field is empty. */
export const numberOfList = <List extends readonly ListEntry<number>[]>(list: List, wrong: string) =>
  numericField<ValueOf<List>>()
    .typeError(wrong)
    .oneOf(listValues(list), wrong)
    .meta({ list: () => list });

/** Creates a rule for a whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  numeric()
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(min, `Must be at least ${min}.`)
    .max(max, `Must be at most ${max}.`);

/** Returns the transform of a rule that changes texts and leaves other values as they are. */
export const mapText =
  (change: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? change(value) : value;

/** Transform of a rule whose field may be empty. */
export const emptyToUndefined = (value: unknown, original: unknown) =>
  original === "" || original === null ? undefined : value;

/**
 * Creates a rule for the revision that a form was loaded with. If it is missing, the last write wins. Documented
 * clients don't send it.
 */
export const revision = () =>
  numeric().typeError("Must be a number.").integer("Must be a whole number.").min(1).max(2_147_483_647);

// PostgreSQL rejects NUL, and unpaired surrogates in JSON. The other control characters, codes without a character,
// right-to-left overrides and towers of accents are sent only by mistake or with bad intent.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}\p{Noncharacter_Code_Point}\u202e]|\p{M}{9}/u;
// Line separators that a word processor uses within a paragraph.
const lineSeparators = /[\u0085\u2028\u2029]/g;
const lineBreaks = /[\r\n\t]/;

/** A text whose length is the number of characters that a reader sees. */
class TextSchema extends StringSchema<string | undefined> {
  override min(min: number | Reference<number>, message?: Message<{ min: number }>) {
    return this.test({
      name: "min",
      exclusive: true,
      skipAbsent: true,
      params: { min },
      message,
      test(value) {
        return countCharacters(value as string) >= this.resolve(min);
      },
    });
  }

  override max(max: number | Reference<number>, message?: Message<{ max: number }>) {
    return this.test({
      name: "max",
      exclusive: true,
      skipAbsent: true,
      params: { max },
      message,
      test(value) {
        const text = value as string;
        const most = this.resolve(max);
        if (text.length <= most) return true;
        // One emoji or letter may consist of many code points. Short columns are limited to 255.
        const mostPoints = most <= 255 ? 255 : 4 * most;
        return text.length <= 2 * mostPoints && Array.from(text).length <= mostPoints && countCharacters(text) <= most;
      },
    });
  }
}

/** Creates a rule for one line of text: cleaned, trimmed, without control characters, at most `max` characters. */
export function line(max = 200, tooLong = `Must be at most ${max} characters.`): StringSchema<string | undefined> {
  const clean = (text: string) => cleanText(text.replace(lineSeparators, " "));
  return createTextRule(clean, (value) => !forbidden.test(value) && !lineBreaks.test(value)).max(max, tooLong);
}

/** Creates a rule like {@link line} for a text in digits and signs, such as a phone number. */
export function numberLine(max: number, tooLong?: string): StringSchema<string | undefined> {
  return line(max, tooLong).transform(mapText(cleanNumber));
}

/** Creates a rule like {@link line} for a text that is compared with others, such as an email address or a promo code. */
export function keyLine(max: number, tooLong?: string): StringSchema<string | undefined> {
  return line(max, tooLong).transform(mapText(cleanKey));
}

/** Creates a rule like {@link keyLine} for an email address, which it doesn't check. The longest has 254 characters (RFC 5321). */
export function emailLine(tooLong?: string): StringSchema<string | undefined> {
  return keyLine(254, tooLong).transform(mapText(cleanEmail));
}

/** Creates a rule for several lines of text: cleaned, trimmed, without control characters except line breaks and tabs. */
export function paragraphs(max: number, tooLong: string): StringSchema<string | undefined> {
  return createTextRule(cleanText, (value) => !forbidden.test(value)).max(max, tooLong);
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a value is a UUID of any version. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidShape.test(value);
}

/** Returns the value of a JSON text; null if it isn't one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Creates a rule for a UUID of any version (RFC 9562), in which letter case doesn't matter. yup's own knows versions 1 to 5. */
export const uuid = (wrong: string) =>
  string()
    .typeError(wrong)
    .test("uuid-of-any-version", wrong, (value) => value === undefined || value === null || isUuid(value))
    .meta({ jsonSchema: { format: "uuid" } });

/** Creates a rule for a password. It is cleaned but not trimmed, because spaces count. */
export function secret(): StringSchema<string | undefined> {
  return new TextSchema().transform(mapText(cleanText)).typeError("Must be text.");
}

function createTextRule(clean: (text: string) => string, isAllowed: (value: string) => boolean): TextSchema {
  return new TextSchema()
    .strict(false)
    .transform((value: unknown, original: unknown) => (typeof original === "string" ? clean(original).trim() : value))
    .typeError("Must be text.")
    .test("wire-text", "Must be text.", function wireText() {
      const original = this.originalValue as unknown;
      return original === undefined || original === null || typeof original === "string";
    })
    .test(
      "control-characters",
      "Contains characters that are not allowed.",
      (value) => value === undefined || value === null || isAllowed(value),
    );
}

/** Creates a rule for a first or last name of 2 to 30 characters. `name` starts the messages about its length. */
export function personName(name: "First name" | "Last name", required = `${name} is required.`) {
  return line(30, `${name} is too long.`).required(required).min(2, `${name} must have at least 2 characters.`);
}

// Similar to browsers' rules for email fields. The confirmation email is the real check.
const emailShape =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

/** Creates a rule for an email address, with the messages of the form. */
export function emailAddress(required: string, invalid = "Invalid email address") {
  return (
    emailLine(invalid)
      .required(required)
      .matches(emailShape, { message: invalid, excludeEmptyString: true })
      // Addresses are compared in lower case, in which some letters are longer.
      .test("length-in-lower-case", invalid, (value) => !value || value.toLowerCase().length <= 254)
  );
}

/** Rules for the size and position of a page of a list (decision 0130). */
export const pageRules = object({
  first: numeric().integer().min(1, "Request at least 1 row.").max(100, "Request at most 100 rows.").default(20),
  offset: numeric().integer().min(0, "Must be 0 or more.").max(1_000_000, "Must be at most 1,000,000.").default(0),
  after: string().nullable().max(1_000, "Not a cursor of this list."),
});

const MOST_BITS = { 4: 32, 6: 128 } as const;

/** Returns the version of an IP address, or null for another text. Runs in browsers, too. */
function getIpVersion(text: string): 4 | 6 | null {
  const parts = text.split(".");
  if (parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return 4;
  return /^[\da-f:.]+$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`) ? 6 : null;
}

/** Returns whether a text is an IP address, or a network in CIDR notation other than `/0`, which would be everywhere. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = getIpVersion(address);
  if (version === null || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= MOST_BITS[version]);
}

/** Returns the entries of a list of networks, which commas, semicolons, spaces or line breaks separate. */
export function splitNetworks(text: string): string[] {
  return cleanKey(text)
    .split(/[\s,;]+/)
    .filter((one) => one !== "");
}
