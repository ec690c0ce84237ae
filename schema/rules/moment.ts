import { date, type DateSchema } from "yup";

// ISO 8601 to the day, or to the second or finer with T or a space; without a zone it is UTC (DOMAIN §8.6).
const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * A moment as clients write it: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, in UTC unless it names a zone. Days
 * that do not exist (31 February) are refused, not moved to the next month.
 */
export function moment(required: string): DateSchema<Date> {
  return date()
    .transform((_value, original: unknown) => (original instanceof Date ? original : readMoment(original)))
    .typeError("Must be a date.")
    .required(required);
}

/** The moment that a text means; an invalid date when it means none. */
function readMoment(text: unknown): Date {
  const found = typeof text === "string" ? shape.exec(text.trim()) : null;
  if (!found) return new Date(Number.NaN);
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = found;
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const utc = Date.UTC(parts[0], parts[1] - 1, ...(parts.slice(2) as [number, number, number, number]));
  const read = new Date(utc);
  const isReal =
    parts[0] >= 1000 &&
    read.getUTCMonth() === parts[1] - 1 &&
    read.getUTCDate() === parts[2] &&
    parts[3] < 24 &&
    parts[4] < 60 &&
    parts[5] < 60;
  if (!isReal) return new Date(Number.NaN);
  const milliseconds = Math.floor(Number(`0.${fraction || "0"}`) * 1_000);
  return new Date(utc + milliseconds - minutesOf(zone) * 60_000);
}

/** Minutes that a zone is ahead of UTC; not a number when there is none so far ahead. */
function minutesOf(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const ahead = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && ahead <= 14 * 60 ? (sign === "-" ? -ahead : ahead) : Number.NaN;
}
