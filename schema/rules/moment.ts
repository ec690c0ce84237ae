import { type DateSchema, date, type StringSchema, string } from "yup";
import { endOfDay, startOfDay } from "#schema/days.ts";

const shape =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/**
 * A moment from outside: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, in UTC when it names no offset; impossible
 * ones, such as 30 February, are refused (docs/domain.md#dates-in). Years have four digits, which is as far as
 * PostgreSQL reads what JavaScript writes.
 */
export function moment(required: string, wrong = "Must be a date."): DateSchema<Date> {
  return date()
    .transform((_value: unknown, original: unknown) =>
      // What a form holds while nothing is typed is missing, not wrong.
      typeof original === "string" && original.trim() === "" ? undefined : readMoment(original),
    )
    .typeError(wrong)
    .required(required);
}

/** A moment as {@link moment} takes it, kept as the text that it is: for forms, and where a day alone means all of it. */
export function momentText(wrong = "Must be a date."): StringSchema<string | undefined> {
  return string()
    .transform((value: unknown) => (typeof value === "string" ? value.trim() : value))
    .typeError(wrong)
    .test("moment", wrong, (value) => !value || momentOf(value) !== null);
}

/** The moment that a text names, a day's first; null for a text that names none. */
export function momentOf(text: string): Date | null {
  const moment = readMoment(text);
  return moment && !Number.isNaN(moment.getTime()) ? moment : null;
}

const dayAlone = /^\s*\d{4}-\d{2}-\d{2}\s*$/;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** As far as years have four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The first moment after an end that a text names: a day without a time is in with all of it, a time with all of its
 * second (docs/domain.md#dates-in); null for a text that names none.
 */
export function endMomentOf(text: string): Date | null {
  const moment = momentOf(text);
  if (!moment) return null;
  const end = moment.getTime() + (dayAlone.test(text) ? DAY_MS : SECOND_MS);
  return new Date(Math.min(end, LAST_MS));
}

/** The end of something, as {@link moment}: a day without a time includes that day, in UTC. */
export function endMoment(required: string, wrong?: string): DateSchema<Date> {
  return moment(required, wrong).transform((value: Date, original: unknown) =>
    typeof original === "string" && dayAlone.test(original) ? new Date(value.getTime() + DAY_MS - 1) : value,
  );
}

/**
 * The end of a range, as {@link endMoment}: a time that names no fraction includes all of its second, so
 * that a day's last second is asked for as people write it.
 */
export function rangeEnd(required: string): DateSchema<Date> {
  return endMoment(required).transform((value: Date, original: unknown) =>
    typeof original === "string" && isWholeSecond(original) ? new Date(value.getTime() + SECOND_MS - 1) : value,
  );
}

/** The start of an accounting range, as {@link moment}: a day without a time begins at the vendor's midnight. */
export function sellerRangeStart(required: string): DateSchema<Date> {
  return moment(required).transform((value: Date, original: unknown) => {
    const day = dayIn(value, original);
    return day === null ? value : startOfDay(day);
  });
}

/** The end of an accounting range, as {@link rangeEnd}: a day without a time includes all of the vendor's day. */
export function sellerRangeEnd(required: string): DateSchema<Date> {
  return rangeEnd(required).transform((value: Date, original: unknown) => {
    const day = dayIn(value, original);
    return day === null ? value : endOfDay(day);
  });
}

/** The calendar day that a text consists of; null for a text with a time, and for a day that does not exist. */
function dayIn(value: Date, original: unknown): string | null {
  const isDay = typeof original === "string" && dayAlone.test(original) && !Number.isNaN(value.getTime());
  return isDay ? original.trim() : null;
}

function isWholeSecond(text: string): boolean {
  const [, , hours, , , fraction] = shape.exec(text.trim()) ?? [];
  return hours !== undefined && fraction === undefined;
}

/** A moment as {@link moment} reads it; an invalid date for what is none. */
export function readMoment(original: unknown): Date | undefined {
  if (original === undefined || original instanceof Date) return original;
  const [, day, hours = "00", minutes = "00", seconds = "00", fraction = "0", zone = "Z"] =
    (typeof original === "string" && shape.exec(original.trim())) || [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // The calendar of JavaScript carries 30 February over into March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return new Date(Number.NaN);
  const offset = zone.toUpperCase() === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3)}${offset}`);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : new Date(Number.NaN);
}
