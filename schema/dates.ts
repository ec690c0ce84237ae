/** A moment: a Date or ISO 8601 text. */
type Moment = Date | string;

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

/** Returns whether a moment is the end of a last day that was entered as a date: the last millisecond of that day in UTC. */
export function isLastDay(moment: Moment): boolean {
  return new Date(moment).toISOString().endsWith("T23:59:59.999Z");
}

/**
 * Returns a date as `23 Nov 2026`. Without `timeZone` it is the date in the reader's time zone, as in every function here.
 * A last day stays the day that was entered, in every time zone.
 */
export function formatDate(moment: Moment, timeZone?: string): string {
  const { day, month, year } = partsOf(moment, isLastDay(moment) ? "UTC" : timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}`;
}

/** Returns a date and time with the time zone, `23 Nov 2026, 12:36 pm AEST`. */
export function formatDateTime(moment: Moment, timeZone?: string): string {
  const { day, month, year } = partsOf(moment, timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}, ${formatTime(moment, timeZone)}`;
}

/** Returns a date and time to the second, `23 Nov 2026, 12:36:05 pm AEST`: for logs whose entries follow each other quickly. */
export function formatDateTimeWithSeconds(moment: Moment, timeZone?: string): string {
  const { day, month, year, hour, minute, second, dayPeriod, zone } = partsOf(moment, timeZone);
  return `${Number(day)} ${month.slice(0, 3)} ${year}, ${hour}:${minute}:${second} ${dayPeriod} ${zone}`;
}

/** Returns a time of day with the time zone, `12:36 pm AEST`. */
export function formatTime(moment: Moment, timeZone?: string): string {
  return `${formatClock(moment, timeZone)} ${partsOf(moment, timeZone).zone}`;
}

/** Returns a time of day alone, `12:36 pm`: only where the zone stands next to it. */
export function formatClock(moment: Moment, timeZone?: string): string {
  const { hour, minute, dayPeriod } = partsOf(moment, timeZone);
  return `${hour}:${minute} ${dayPeriod}`;
}

/** Returns the short name of a time zone at a moment, `AEST`, or its offset, `GMT-4`, where Australians have no name for it. */
export function timeZoneName(moment: Moment, timeZone?: string): string {
  return partsOf(moment, timeZone).zone;
}

/** Returns a date as `DD/MM/YYYY`: for tables whose columns have fixed formats. */
export function formatTableDate(moment: Moment, timeZone?: string): string {
  const { day, monthNumber, year } = partsOf(moment, timeZone);
  return `${day}/${monthNumber}/${year}`;
}

/** Returns a date as `DD MMMM, YYYY`: for the expiry of a licence in tables. */
export function formatExpiryDate(moment: Moment, timeZone?: string): string {
  const { day, month, year } = partsOf(moment, isLastDay(moment) ? "UTC" : timeZone);
  return `${day} ${month}, ${year}`;
}

/** Returns a date as `2026-11-23`: for the days of reports, and wherever days are compared. */
export function isoDay(moment: Moment, timeZone?: string): string {
  const { day, monthNumber, year } = partsOf(moment, timeZone);
  return `${year.padStart(4, "0")}-${monthNumber}-${day}`;
}

/** Returns a date with its weekday, `Monday 23 November 2026`: for headings over the entries of one day. */
export function formatWeekday(moment: Moment, timeZone?: string): string {
  const { weekday, day, month, year } = partsOf(moment, timeZone);
  return `${weekday} ${Number(day)} ${month} ${year}`;
}

/** Returns `DD MMM YYYY hh:mm` in UTC on a 24-hour clock: for the 'Last Seen' of a device. */
export function formatLastSeen(moment: Moment): string {
  const [date = "", time = ""] = new Date(moment).toISOString().split("T");
  const [year, month, day] = date.split("-");
  return `${day} ${MONTHS[Number(month) - 1]?.slice(0, 3)} ${year} ${time.slice(0, 5)}`;
}

/** Returns a calendar day (`YYYY-MM-DD`) as `23 Nov 2026`; a calendar day has no time zone. */
export function formatDay(day: string): string {
  return formatDate(`${day}T00:00:00Z`, "UTC");
}

/** Returns a calendar day (`YYYY-MM-DD`) without its year, `23 Nov`: for the axis of a chart. */
export function formatDayAndMonth(day: string): string {
  return formatDay(day).replace(/ \d+$/, "");
}

/** Returns the month of a calendar day (`YYYY-MM-DD`), `Nov 2026`. */
export function formatMonth(day: string): string {
  return formatDay(day).replace(/^\d+ /, "");
}

/** Returns a calendar day (`YYYY-MM-DD`) with its weekday for a table, `Mon 23/11/2026`. */
export function formatTableDay(day: string): string {
  const moment = `${day}T00:00:00Z`;
  return `${partsOf(moment, "UTC").weekday.slice(0, 3)} ${formatTableDate(moment, "UTC")}`;
}

interface Parts {
  readonly weekday: string;
  /** Two digits. */
  readonly day: string;
  /** In full. The first three letters are its short form: browsers disagree on 'Sep' and 'Sept'. */
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

function partsOf(moment: Moment, timeZone: string | undefined): Parts {
  const key = timeZone ?? "";
  const format = formats.get(key) ?? newFormat(timeZone);
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

/** Builds a formatter in Australian English, the locale that names Australian zones (`AWST`) instead of their offset. */
function newFormat(timeZone: string | undefined): Intl.DateTimeFormat {
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
