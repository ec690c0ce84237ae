import { formatSellerTableDate } from "#schema/dates.ts";
import { getCalendarDay } from "#schema/days.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import type { PromoCodeFieldsFragment } from "#web/generated/graphql.ts";

type Discount = Pick<PromoCodeFieldsFragment, "basisPoints" | "amountCents">;

/**
 * Formats a discount for lists: `10.0%`, or `A$50.00`. The percentage is rounded to one decimal for display only; the
 * form and the calculation use the exact value.
 */
export function formatDiscount({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return formatAud(amountCents ?? 0);
  if (basisPoints < 5) return "<0.1%";
  return `${(Math.round(basisPoints / 10) / 10).toFixed(1)}%`;
}

/** Formats a discount for the form: `10`, `12.5` or `A$50.00`. */
export function toDiscountInput({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return formatAud(amountCents ?? 0);
  return String(basisPoints / 100);
}

/** Formats a typed amount: `50` becomes `A$50.00`. Returns text that isn't an amount unchanged. */
export function formatTypedAmount(typed: string): string {
  const cents = parseCents(typed);
  return cents === null ? typed : formatAud(cents);
}

/** Formats the day of a code's start or expiry in the vendor's time zone as `30/06/2027`; an empty text without one. */
export function formatLimit(moment: string | null): string {
  return moment === null ? "" : formatSellerTableDate(moment);
}

/** Returns the day of a code's start or expiry for the form's field. */
export function toLimitInput(moment: string | null): string {
  return moment === null ? "" : getCalendarDay(new Date(moment));
}

/** Returns the moment to send for a day of the form. A code that starts or ends during a day keeps its time on that day. */
export function toLimit(chosen: Date | null | undefined, stored: string | null | undefined): string | null {
  const isSameDay = chosen && stored && getCalendarDay(chosen) === getCalendarDay(new Date(stored));
  return isSameDay ? stored : (chosen?.toISOString() ?? null);
}
