import { brand } from "#schema/brand.ts";

const day = new Intl.DateTimeFormat("en-AU", {
  timeZone: brand.timeZone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
});
const time = new Intl.DateTimeFormat("en-AU", {
  timeZone: brand.timeZone,
  hour: "numeric",
  minute: "2-digit",
  hour12: true,
  timeZoneName: "short",
});

/** `05/12/2026`, the vendor's day: for documents, and sentences about money. */
export function dayAlone(moment: Date): string {
  return day.format(moment);
}

/** `05/12/2026 at 2:25 pm AEST`: mails are read anywhere, so the time names its zone. */
export function dayAndTime(moment: Date): string {
  return `${day.format(moment)} at ${time.format(moment).replace(/\u202f/g, " ")}`;
}

const utc = new Intl.DateTimeFormat("en-AU", {
  timeZone: "UTC",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** `05/12/2026 04:25 UTC`: for what is compared with another record, such as a sign-in. */
export function utcDayAndTime(moment: Date): string {
  return `${utc.format(moment).replace(",", "")} UTC`;
}
