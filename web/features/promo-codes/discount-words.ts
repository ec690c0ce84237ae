import { aud, centsOf } from "#schema/money.ts";
import type { PromoCodeFieldsFragment } from "#web/generated/graphql.ts";

type Discount = Pick<PromoCodeFieldsFragment, "basisPoints" | "amountCents">;

/** A discount as lists show it: `10.0%`, a second decimal only where it has one, or `A$50.00` (spec, admin §9). */
export function shownDiscount({ basisPoints, amountCents }: Discount): string {
  if (basisPoints === null) return aud(amountCents ?? 0);
  return `${decimalOf(basisPoints).replace(/0$/, "")}%`;
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
