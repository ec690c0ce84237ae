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
  const tenths = String(Math.round(basisPoints / 10)).padStart(2, "0");
  return `${tenths.slice(0, -1)}.${tenths.slice(-1)}%`;
}

/** Formats a discount for the form: `10`, `12.5` or `A$50.00`. */
export function toDiscountInput({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return formatAud(amountCents ?? 0);
  return formatDecimal(basisPoints).replace(/\.?0+$/, "");
}

/** Formats a typed amount: `50` becomes `A$50.00`. Returns text that isn't an amount unchanged. */
export function formatTypedAmount(typed: string): string {
  const cents = parseCents(typed);
  return cents === null ? typed : formatAud(cents);
}

/** Formats a number of hundredths with two decimals, without floating-point arithmetic. */
function formatDecimal(hundredths: number): string {
  const digits = String(hundredths).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the last day of a code as DD/MM/YYYY and as the form's value, in UTC. */
export function formatExpiry(expiresAt: string | null): { shown: string; typed: string } {
  if (expiresAt === null) return { shown: "", typed: "" };
  const day = expiresAt.slice(0, 10);
  const shown = day.split("-").reverse().join("/");
  // A code that ends during a day keeps its time unless another date is entered.
  return { shown, typed: expiresAt.endsWith("T23:59:59.999Z") ? day : expiresAt };
}
