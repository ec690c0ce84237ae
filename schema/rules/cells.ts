import type { AnyObject, BooleanSchema, DateSchema, Flags, NumberSchema } from "yup";
import type { CatalogueEntry } from "#schema/catalogue.ts";
import { endMoment } from "./moment.ts";

// A cell of a file holds words where a form sends a number, a mark or a date. Each of these takes the form's own rule,
// with its bounds and sentences, and reads the cell for it.

/** What stands in a cell, or in the box of a form; anything else is no text, which no rule here takes. */
const cellOf = (original: unknown): string => {
  if (original === undefined || original === null) return "";
  return ["string", "number", "boolean"].includes(typeof original) ? `${original as string}`.trim() : "?";
};

/** A number or the words of a catalogue becomes the number; `wrong` is said of what is neither. */
export const choiceCell = <Rule extends NumberSchema>(rule: Rule, list: readonly CatalogueEntry[], wrong: string) =>
  rule
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original).toLowerCase();
      if (typed === "") return undefined;
      return (
        list.find(({ value, label }) => typed === String(value) || typed === label.toLowerCase())?.value ?? Number.NaN
      );
    })
    .typeError(wrong) as Rule;

/** Digits become the number; an empty cell becomes `otherwise`. */
export const wholeNumberCell = <Default, Flag extends Flags>(
  rule: NumberSchema<number | undefined, AnyObject, Default, Flag>,
  otherwise: number,
) =>
  rule
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original);
      if (typed === "") return otherwise;
      return /^-?\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    })
    .typeError("Must be a whole number.")
    .default(otherwise);

/** Yes, No and what else people write for them; an empty cell is No. */
export const yesNoCell = <Default, Flag extends Flags>(
  rule: BooleanSchema<boolean | undefined, AnyObject, Default, Flag>,
) =>
  rule
    .strict(false)
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original).toLowerCase();
      if (["yes", "y", "true", "1", "x"].includes(typed)) return true;
      return ["", "no", "n", "false", "0"].includes(typed) ? false : "neither";
    })
    .typeError("Must be Yes or No.")
    .default(false);

/** DD/MM/YYYY, as spreadsheets here write it, becomes what {@link endMoment} reads. */
export const lastDayCell = <Rule extends DateSchema<Date | undefined>>(rule: Rule) =>
  rule.transform((value: unknown, original: unknown) => {
    const typed = typeof original === "string" ? original.trim() : "";
    const [, day = "", month = "", year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(typed) ?? [];
    const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    return year ? endMoment("").cast(iso, { assert: false }) : value;
  }) as Rule;
