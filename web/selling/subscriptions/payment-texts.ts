import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";

/** Formats the time of the next automatic attempt to pay, such as "Next retry 26 Nov 2026". */
export function formatNextRetry(nextRetryAt: string | null | undefined): string {
  return nextRetryAt ? `Next retry ${formatDate(nextRetryAt, brand.timeZone)}` : "No retry is planned";
}
