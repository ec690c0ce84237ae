import { aud, centsOf } from "#schema/money.ts";
import type { PromoCodeFieldsFragment } from "#web/generated/graphql.ts";

type Discount = Pick<PromoCodeFieldsFragment, "basisPoints" | "amountCents">;

/**
 * A discount as lists show it: `10.0%` with one decimal, or `A$50.00`. A second decimal is rounded here
 * alone; the form shows it, and what is taken off is reckoned with it.
 */
export function shownDiscount({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return aud(amountCents ?? 0);
  if (basisPoints < 5) return "<0.1%";
  const tenths = String(Math.round(basisPoints / 10)).padStart(2, "0");
  return `${tenths.slice(0, -1)}.${tenths.slice(-1)}%`;
}

/** The same as it stands in the form: `10`, `12.5`, or `A$50.00`. */
export function typedDiscount({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return aud(amountCents ?? 0);
  return decimalOf(basisPoints).replace(/\.?0+$/, "");
}

/** `50` as `A$50.00`; what is no amount stays as it is. */
export function tidyAmount(typed: string): string {
  const cents = centsOf(typed);
  return cents === null ? typed : aud(cents);
}

/** Hundredths with both decimals, from the digits. */
function decimalOf(hundredths: number): string {
  const digits = String(hundredths).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The last day of a code as DD/MM/YYYY, and as the form holds it; its days are those of UTC (decision 0032). */
export function expiryOf(expiresAt: string | null): { shown: string; typed: string } {
  if (expiresAt === null) return { shown: "", typed: "" };
  const day = expiresAt.slice(0, 10);
  const shown = day.split("-").reverse().join("/");
  // What ends within a day keeps its time unless another day is typed.
  return { shown, typed: expiresAt.endsWith("T23:59:59.999Z") ? day : expiresAt };
}
