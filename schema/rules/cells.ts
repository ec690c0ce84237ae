import type { AnyObject, BooleanSchema, DateSchema, Flags, NumberSchema } from "yup";
import type { CatalogueEntry } from "#schema/closed-list.ts";
import { cleanNumber, cleanText } from "#schema/clean-text.ts";
import { endMoment } from "#schema/moment.ts";

// Cells of imported files contain text instead of the numbers, booleans and dates that forms send. These functions extend
// the rule of a form, with its limits and messages, so that it also reads cells.

/** Returns the text of a cell or form field. Returns `?`, which no rule accepts, for other types of value. */
const toCellText = (original: unknown): string => {
  if (original === undefined || original === null) return "";
  return ["string", "number", "boolean"].includes(typeof original) ? cleanText(`${original as string}`).trim() : "?";
};

/** Extends a rule to accept the number or the label of a catalogue entry. `wrong` is the error message. */
export const choiceCell = <Rule extends NumberSchema>(rule: Rule, list: readonly CatalogueEntry[], wrong: string) =>
  rule
    .transform((_value: unknown, original: unknown) => {
      const typed = toCellText(original).toLowerCase();
      if (typed === "") return undefined;
      return (
        list.find(({ value, label }) => typed === String(value) || typed === label.toLowerCase())?.value ?? Number.NaN
      );
    })
    .typeError(wrong) as Rule;

/** Extends a rule to accept a number as text. An empty cell becomes `otherwise`. */
export const wholeNumberCell = <Default, Flag extends Flags>(
  rule: NumberSchema<number | undefined, AnyObject, Default, Flag>,
  otherwise: number,
) =>
  rule
    .transform((_value: unknown, original: unknown) => {
      const typed = toCellText(original);
      if (typed === "") return otherwise;
      return /^-?\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    })
    .typeError("Must be a whole number.")
    .default(otherwise);

/** Extends a rule to accept Yes, No and common alternatives. An empty cell means No. */
export const yesNoCell = <Default, Flag extends Flags>(
  rule: BooleanSchema<boolean | undefined, AnyObject, Default, Flag>,
) =>
  rule
    .strict(false)
    .transform((_value: unknown, original: unknown) => {
      const typed = toCellText(original).toLowerCase();
      if (["yes", "y", "true", "1", "x"].includes(typed)) return true;
      return ["", "no", "n", "false", "0"].includes(typed) ? false : "neither";
    })
    .typeError("Must be Yes or No.")
    .default(false);

/**
 * Extends a rule to accept `DD/MM/YYYY`, the Australian format of spreadsheets, as the end of that day, like {@link
 * endMoment}.
 */
export const lastDayCell = <Rule extends DateSchema<Date | undefined>>(rule: Rule) =>
  rule.transform((value: unknown, original: unknown) => {
    const typed = typeof original === "string" ? cleanNumber(original) : "";
    const [, day = "", month = "", year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(typed) ?? [];
    const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    if (year) return endMoment("").cast(iso, { assert: false });
    // Reports have no milliseconds.
    return typed.endsWith("T23:59:59Z") && value instanceof Date ? new Date(value.getTime() + 999) : value;
  }) as Rule;
