import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";

/** Formats the time of the next automatic attempt to pay, such as "Next retry 26 Nov 2026". */
export function formatNextRetry(nextRetryAt: string | null | undefined): string {
  return nextRetryAt ? `Next retry ${formatDate(nextRetryAt, brand.timeZone)}` : "No retry is planned";
}

/** Formats a card, such as "Visa ending 4242". */
export function formatCard(brandName: string | null | undefined, last4: string | null | undefined): string {
  const name = brandName ? brandName.charAt(0).toUpperCase() + brandName.slice(1) : "Card";
  return last4 ? `${name} ending ${last4}` : name;
}
