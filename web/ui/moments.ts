import { brand } from "#schema/brand.ts";

const dayAndMinute = new Intl.DateTimeFormat("en-AU", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const utcDayAndMinute = new Intl.DateTimeFormat("en-AU", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

const dayAlone = new Intl.DateTimeFormat("en-AU", { day: "2-digit", month: "2-digit", year: "numeric" });

const longDay = new Intl.DateTimeFormat("en-AU", {
  day: "2-digit",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

const wordyDay = new Intl.DateTimeFormat("en-AU", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

const vendorDayAlone = new Intl.DateTimeFormat("en-AU", {
  timeZone: brand.timeZone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
});

// American English is the one whose short months all have three letters.
const seen = new Intl.DateTimeFormat("en-US", {
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** `DD/MM/YYYY HH:mm` in the reader's time zone, from ISO 8601. */
export function dateAndTime(iso: string): string {
  const part = partsOf(dayAndMinute, iso);
  return `${part.day}/${part.month}/${part.year} ${part.hour}:${part.minute}`;
}

/** `DD/MM/YYYY HH:mm UTC`, from ISO 8601: for what is compared with a mail or a record. */
export function utcDateAndTime(iso: string): string {
  const part = partsOf(utcDayAndMinute, iso);
  return `${part.day}/${part.month}/${part.year} ${part.hour}:${part.minute} UTC`;
}

/** `DD/MM/YYYY` in the reader's time zone, from ISO 8601. */
export function date(iso: string): string {
  const part = partsOf(dayAlone, iso);
  return `${part.day}/${part.month}/${part.year}`;
}

/** `DD/MM/YYYY` as the vendor's calendar has it, from ISO 8601: the day that the api's sentences and mails name. */
export function vendorDay(iso: string): string {
  return vendorDayAlone.format(new Date(iso));
}

/** `21 November, 2026`, the day in UTC: a licence's expiry as the api shows it too (spec, admin §9). */
export function expiryDay(iso: string): string {
  const part = partsOf(longDay, iso);
  return `${part.day} ${part.month}, ${part.year}`;
}

/** `Saturday, 21 November 2026` in the reader's time zone, from ISO 8601. */
export function dayInWords(iso: string): string {
  return wordyDay.format(new Date(iso));
}

/** `HH:mm` in the reader's time zone, from ISO 8601. */
export function timeOfDay(iso: string): string {
  const part = partsOf(dayAndMinute, iso);
  return `${part.hour}:${part.minute}`;
}

/** `HH:mm` in UTC, from ISO 8601. */
export function utcTimeOfDay(iso: string): string {
  const part = partsOf(utcDayAndMinute, iso);
  return `${part.hour}:${part.minute}`;
}

/** `DD MMM YYYY hh:mm` in UTC, from ISO 8601 (spec, public §9), in 24 hours: twelve would leave two readings. */
export function lastSeen(iso: string): string {
  const part = partsOf(seen, iso);
  return `${part.day} ${part.month} ${part.year} ${part.hour}:${part.minute}`;
}

function partsOf(format: Intl.DateTimeFormat, iso: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  return Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
}
