import { cleanNumber } from "./clean-text.ts";

const dollars = new Intl.NumberFormat("en-AU", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats cents for sentences and screens: `A$1,424.00`, with two decimals. */
export function formatAud(cents: number): string {
  return `${cents < 0 ? "−" : ""}A$${dollars.format(Math.abs(cents) / 100)}`;
}

/** Formats cents without the country, `$1,424.00`, for documents that state the currency once. */
export function formatDollars(cents: number): string {
  return `${cents < 0 ? "−" : ""}$${dollars.format(Math.abs(cents) / 100)}`;
}

/** Formats a US price in cents with two decimals: `99.95`, `949.00`. */
export function formatUsAmount(cents: number): string {
  return dollars.format(cents / 100);
}

/** Formats a US price in cents with its currency, `US$949.00`. */
export function formatUsd(cents: number): string {
  return `US$${formatUsAmount(cents)}`;
}

/** Australian GST in basis points: 10 % (docs/domain.md#gst). */
export const GST_BASIS_POINTS = 1_000;

/** Names the GST of a document by its rate: `GST 10 %`. */
export function formatGstRate(basisPoints: number): string {
  return basisPoints > 0 ? `GST ${basisPoints / 100} %` : "GST 0 % (outside Australia)";
}

/** Returns a price in cents including Australian GST, for pages that show it before the server calculates the charge. */
export function addAustralianGst(cents: number): number {
  return cents + Math.round((cents * GST_BASIS_POINTS) / 10_000);
}

const typed = /^(?:(?:a|au|aud)?\s?\$|aud)?\s*(\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.(\d{1,2}))?$/i;

/** Parses an amount as users type it (`50`, `49.95`, `$1,424.00`, `A$50.00`) to cents; null if it isn't an amount. */
export function parseCents(text: string): number | null {
  const [, dollars, cents = ""] = typed.exec(cleanNumber(text)) ?? [];
  // The number is built from the digits, because multiplying by 100 could introduce rounding errors.
  return dollars === undefined ? null : Number(dollars.replace(/[, ]/g, "") + cents.padEnd(2, "0"));
}

/** Smallest amount in cents that a card can pay. The payment provider refuses less. */
export const MIN_CARD_CENTS = 50;

/** Returns whether an amount to pay is too small for a card. */
export function isBelowCardMinimum(cents: number): boolean {
  return cents > 0 && cents < MIN_CARD_CENTS;
}

/** Says that the provider adds an amount that a card can't pay to the next payment. */
export function describeDeferredCharge(amount: string): string {
  return `Nothing is charged now, because a card can't pay less than ${formatAud(MIN_CARD_CENTS)}: ${amount} is added to your next payment`;
}

/** Says why a card can't pay an amount, and how to pay it instead. */
export const BELOW_CARD_MINIMUM = `A card can't pay less than ${formatAud(MIN_CARD_CENTS)}. Please pay this amount by bank transfer.`;
