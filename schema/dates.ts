import { brand } from "./brand.ts";

/** A point in time: a Date, or text in ISO 8601 format. */
type Moment = Date | string;

/** Length of a day without a change of the clocks, in milliseconds. */
export const DAY_MS = 86_400_000;

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Returns whether a text is the IANA name of a time zone, such as `Australia/Brisbane`. */
export function isTimeZone(text: string): boolean {
  try {
    // `Intl` also knows offsets, which have no summer time.
    return /^[a-z]/i.test(text) && Boolean(new Intl.DateTimeFormat("en-AU", { timeZone: text }));
  } catch {
    return false;
  }
}

/** Returns whether a value is text `YYYY-MM-DD` of a day in the calendar. Years start at 1, as in PostgreSQL. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(value)) return false;
  // JavaScript converts 30 February to a day in March.
  return new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
}

/** Returns the IANA name of the reader's time zone. */
export function getReaderTimeZone(): string {
  return new Intl.DateTimeFormat("en-AU").resolvedOptions().timeZone;
}

/**
 * Returns whether a moment was entered as a date without a time and so means the end of that day: its last millisecond
 * in UTC.
 */
function isLastDay(moment: Moment): boolean {
  return new Date(moment).toISOString().endsWith("T23:59:59.999Z");
}

/**
 * Formats a date as `23 Nov 2026`. Like all functions here, it uses the reader's time zone by default. The end of a day (see
 * {@link isLastDay}) is formatted as that day in every time zone.
 */
export function formatDate(moment: Moment, timeZone?: string): string {
  const { day, month, year } = getParts(moment, isLastDay(moment) ? "UTC" : timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}`;
}

/** Formats a date and time with the time zone, `23 Nov 2026, 12:36 pm AEST`. The end of a day as in {@link formatDate}. */
export function formatDateTime(moment: Moment, timeZone?: string): string {
  if (isLastDay(moment)) return formatDate(moment);
  const { day, month, year } = getParts(moment, timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}, ${formatTime(moment, timeZone)}`;
}

/** Formats a date in the seller's time zone, which defines the days of accounting: invoices, payments, tax and reports. */
export function formatSellerDate(moment: Moment): string {
  return formatDate(moment, brand.timeZone);
}

/** Formats a date in the seller's time zone as `DD/MM/YYYY`. */
export function formatSellerTableDate(moment: Moment): string {
  return formatTableDate(moment, brand.timeZone);
}

/** Formats a date and time in the seller's time zone. */
export function formatSellerDateTime(moment: Moment): string {
  return formatDateTime(moment, brand.timeZone);
}

/** Formats a date and time with seconds, `23 Nov 2026, 12:36:05 pm AEST`. For logs. */
export function formatDateTimeWithSeconds(moment: Moment, timeZone?: string): string {
  const { day, month, year, hour, minute, second, dayPeriod, zone } = getParts(moment, timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}, ${hour}:${minute}:${second} ${dayPeriod} ${zone}`;
}

/** Formats a time of day with the time zone, `12:36 pm AEST`. */
export function formatTime(moment: Moment, timeZone?: string): string {
  return `${formatClock(moment, timeZone)} ${getParts(moment, timeZone).zone}`;
}

/** Formats a time of day without the time zone, `12:36 pm`. Use it only if the time zone is shown next to it. */
export function formatClock(moment: Moment, timeZone?: string): string {
  const { hour, minute, dayPeriod } = getParts(moment, timeZone);
  return `${hour}:${minute} ${dayPeriod}`;
}

/** Formats a date as `DD/MM/YYYY`, for tables with fixed column formats. The end of a day as in {@link formatDate}. */
export function formatTableDate(moment: Moment, timeZone?: string): string {
  const { day, monthNumber, year } = getParts(moment, isLastDay(moment) ? "UTC" : timeZone);
  return `${day}/${monthNumber}/${year}`;
}

/** Formats the expiry date of a licence in tables as `DD MMMM, YYYY`. */
export function formatExpiryDate(moment: Moment, timeZone?: string): string {
  const { day, month, year } = getParts(moment, isLastDay(moment) ? "UTC" : timeZone);
  return `${day} ${month}, ${year}`;
}

/** Formats a date as `2026-11-23`, for reports and for comparing days. */
export function formatIsoDay(moment: Moment, timeZone?: string): string {
  const { day, monthNumber, year } = getParts(moment, timeZone);
  return `${year.padStart(4, "0")}-${monthNumber}-${day}`;
}

/** Formats a date with its weekday, `Monday 23 November 2026`, for headings. */
export function formatWeekday(moment: Moment, timeZone?: string): string {
  const { weekday, day, month, year } = getParts(moment, timeZone);
  return `${weekday} ${Number(day)} ${month} ${year}`;
}

/** Formats the last-seen time of a device as `DD MMM YYYY hh:mm UTC` with a 24-hour clock. */
export function formatLastSeen(moment: Moment): string {
  const [date = "", time = ""] = new Date(moment).toISOString().split("T");
  const [year, month, day] = date.split("-");
  return `${day} ${MONTHS[Number(month) - 1]?.slice(0, 3)} ${year} ${time.slice(0, 5)} UTC`;
}

/** Formats a calendar day (`YYYY-MM-DD`, without a time zone) as `23 Nov 2026`. */
export function formatDay(day: string): string {
  return formatDate(`${day}T00:00:00Z`, "UTC");
}

/** Formats a calendar day (`YYYY-MM-DD`) as `DD/MM/YYYY`, as date fields show it. */
export function formatShortDay(day: string): string {
  return formatTableDate(`${day}T00:00:00Z`, "UTC");
}

/** Formats a period of calendar days (`YYYY-MM-DD`) as `01/11/2026 to 30/11/2026`, and a single day as `30/11/2026`. */
export function formatShortDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return [...new Set([startDate, endDate])].map(formatShortDay).join(" to ");
}

/** Formats a calendar day (`YYYY-MM-DD`) without its year, `23 Nov`, for the axis of a chart. */
export function formatDayAndMonth(day: string): string {
  return formatDay(day).replace(/ \d+$/, "");
}

/** Formats the month of a calendar day (`YYYY-MM-DD`), `Nov 2026`. */
export function formatMonth(day: string): string {
  return formatDay(day).replace(/^\d+ /, "");
}

/** Formats a calendar day (`YYYY-MM-DD`) with its weekday for tables, `Mon 23/11/2026`. */
export function formatTableDay(day: string): string {
  const moment = `${day}T00:00:00Z`;
  return `${getParts(moment, "UTC").weekday.slice(0, 3)} ${formatTableDate(moment, "UTC")}`;
}

interface Parts {
  readonly weekday: string;
  /** Two digits. */
  readonly day: string;
  /** Full name. Its first three letters are the short form, because browsers disagree on 'Sep' and 'Sept'. */
  readonly month: string;
  /** Two digits. */
  readonly monthNumber: string;
  readonly year: string;
  /** 1 to 12. */
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  /** `am` or `pm`. */
  readonly dayPeriod: string;
  readonly zone: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function getParts(moment: Moment, timeZone: string | undefined): Parts {
  const key = timeZone ?? "";
  const format = formats.get(key) ?? createFormat(timeZone);
  formats.set(key, format);
  const part = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  const { weekday = "", day = "", month = "", year = "", hour = "", minute = "", second = "" } = part;
  return {
    weekday,
    day,
    month: MONTHS[Number(month) - 1] ?? "",
    monthNumber: month,
    year,
    hour: String(Number(hour)),
    minute,
    second,
    dayPeriod: (part.dayPeriod ?? "").toLowerCase(),
    zone: part.timeZoneName ?? "",
  };
}

/** Creates a formatter in Australian English, which uses names of Australian time zones (`AWST`) instead of offsets. */
function createFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-AU", {
    weekday: "long",
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h12",
    timeZoneName: "short",
    timeZone,
  });
}
