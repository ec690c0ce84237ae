const dollars = new Intl.NumberFormat("en-AU", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Cents as people read them, `A$1,424.00`, for sentences and screens (spec, public §9: AUD, en-AU, two decimals). */
export function aud(cents: number): string {
  return `${cents < 0 ? "−" : ""}A$${dollars.format(Math.abs(cents) / 100)}`;
}

/** The same without the country, `$1,424.00`, where the currency is named once for a whole document. */
export function plainDollars(cents: number): string {
  return `${cents < 0 ? "−" : ""}$${dollars.format(Math.abs(cents) / 100)}`;
}
