import { date, type DateSchema, string, type StringSchema } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { DAY_MS, isDay } from "./dates.ts";
import { getEndOfDay, getStartOfDay, LAST_MS } from "./days.ts";
import { mapText, numberLine } from "./text.ts";

const shape =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/**
 * Creates a rule for a time from a client: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, in UTC unless it has an
 * offset. Rejects impossible dates such as 30 February (docs/domain.md#dates-in). Years have four digits, because
 * PostgreSQL can't read longer ones in the format that JavaScript writes.
 */
export function moment(required: string, wrong = "Must be a date."): DateSchema<Date> {
  return date()
    .transform((_value: unknown, original: unknown) =>
      // An empty form field counts as missing, not as invalid.
      typeof original === "string" && original.trim() === "" ? undefined : toMoment(original),
    )
    .typeError(wrong)
    .required(required);
}

/**
 * Creates a rule like {@link moment} that keeps the value as text. For forms, and for dates that mean the whole day.
 */
export function momentText(wrong = "Must be a date."): StringSchema<string | undefined> {
  return string()
    .meta({ scalar: "moment" })
    .transform(mapText(cleanNumber))
    .typeError(wrong)
    .test("moment", wrong, (value) => !value || parseMoment(value) !== null);
}

/** Parses a time; a date without a time means the start of that day. Returns null if the text is invalid. */
export function parseMoment(text: string): Date | null {
  const moment = toMoment(text);
  return moment && !Number.isNaN(moment.getTime()) ? moment : null;
}

/** Returns the calendar day if a value is a date without a time, otherwise null. */
export function readDay(value: unknown): string | null {
  const text = typeof value === "string" && cleanNumber(value);
  return isDay(text) ? text : null;
}

const SECOND_MS = 1_000;

/**
 * Parses the end of a range and returns the first moment after it. A date without a time includes the whole day, and a time
 * includes the rest of its second (docs/domain.md#dates-in). Returns null if the text is invalid.
 */
export function parseEndMoment(text: string): Date | null {
  const moment = parseMoment(text);
  if (!moment) return null;
  const ms = moment.getTime();
  const end = readDay(text) ? ms + DAY_MS : (Math.floor(ms / SECOND_MS) + 1) * SECOND_MS;
  return new Date(Math.min(end, LAST_MS));
}

/** Creates a rule like {@link moment} for the end of something. A date without a time includes the whole day in UTC. */
export function endMoment(required: string, wrong?: string): DateSchema<Date> {
  return moment(required, wrong).transform((value: Date, original: unknown) =>
    readDay(original) ? new Date(value.getTime() + DAY_MS - 1) : value,
  );
}

/**
 * Creates a rule like {@link endMoment} for the end of a range. A time without a fraction includes its whole second, so
 * 23:59:59 includes the end of the day.
 */
function rangeEnd(required: string): DateSchema<Date> {
  return endMoment(required).transform(includeSecond);
}

/** Description, for OpenAPI, of a time whose date without a time is a day in the vendor's time zone. */
export const vendorDays = {
  jsonSchema: {
    description:
      "ISO 8601 or YYYY-MM-DD HH:mm:ss, in UTC unless an offset is given; or YYYY-MM-DD, a day in the vendor's time zone",
  },
};

/** Creates a rule like {@link moment} for the start of an accounting period. Days start in the vendor's time zone. */
export function vendorRangeStart(required: string): DateSchema<Date> {
  return moment(required)
    .meta(vendorDays)
    .transform((value: Date, original: unknown) => {
      const day = readDay(original);
      return day === null ? value : getStartOfDay(day);
    });
}

/** Creates a rule like {@link rangeEnd} for the end of an accounting period. Days end in the vendor's time zone. */
export function vendorRangeEnd(required: string): DateSchema<Date> {
  return rangeEnd(required)
    .meta(vendorDays)
    .transform((value: Date, original: unknown) => {
      const day = readDay(original);
      return day === null ? value : getEndOfDay(day);
    });
}

function includeSecond(value: Date, original: unknown): Date {
  return typeof original === "string" && isWholeSecond(original) ? new Date(value.getTime() + SECOND_MS - 1) : value;
}

function isWholeSecond(text: string): boolean {
  const [, , hours, , , fraction] = shape.exec(cleanNumber(text)) ?? [];
  return hours !== undefined && fraction === undefined;
}

/** Parses a time like {@link moment}. Returns an invalid Date if the text is invalid. */
export function toMoment(original: unknown): Date | undefined {
  if (original === undefined || original instanceof Date) return original;
  const [, day, hours = "00", minutes = "00", seconds = "00", fraction = "0", zone = "Z"] =
    (typeof original === "string" && shape.exec(cleanNumber(original))) || [];
  if (!isDay(day)) return new Date(Number.NaN);
  const offset = zone.toUpperCase() === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).slice(-2) || "00"}`;
  // JavaScript has no leap seconds. Like most clocks, it counts them as the second that follows, at a full hour of UTC.
  const isLeap = seconds === "60";
  const time = `${day}T${hours}:${minutes}:${isLeap ? "59" : seconds}.${fraction.slice(0, 3)}${offset}`;
  const moment = new Date(new Date(time).getTime() + (isLeap ? SECOND_MS : 0));
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 && !(isLeap && moment.getUTCMinutes() > 0) ? moment : new Date(Number.NaN);
}

/** Creates a rule for an optional time. An empty form field counts as missing. */
export const optionalMoment = () => moment("Date is required.").notRequired() as DateSchema<Date | null | undefined>;

/** Creates a rule like {@link rangeEnd} for an optional end (docs/domain.md#dates-in). */
export const optionalEnd = () => rangeEnd("Date is required.").notRequired() as DateSchema<Date | null | undefined>;

/** The message for a range that ends before it starts. */
export const END_BEFORE_START = "The end date can't be before the start date.";

/** Creates a rule like {@link optionalEnd} for forms, which refuse an end before their field `from`. */
export const optionalEndAfterFrom = () =>
  optionalEnd().test("order", END_BEFORE_START, (to, { parent }) => {
    const { from } = parent as { readonly from?: Date | null };
    return !(to && from && to < from);
  });

/** Creates a rule for a calendar day, `YYYY-MM-DD`. An empty field counts as missing. */
export const day = (): StringSchema<string | undefined> =>
  numberLine(10)
    .meta({ scalar: "day" })
    .transform((value: unknown) => (value === "" ? undefined : value))
    .test("day", "Must be a date.", (value) => !value || isDay(value));
