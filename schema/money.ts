const dollars = new Intl.NumberFormat("en-AU", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats cents for sentences and screens: `A$1,424.00`, with two decimals. */
export function aud(cents: number): string {
  return `${cents < 0 ? "−" : ""}A$${dollars.format(Math.abs(cents) / 100)}`;
}

/** The same without the country, `$1,424.00`, where the currency is named once for a whole document. */
export function plainDollars(cents: number): string {
  return `${cents < 0 ? "−" : ""}$${dollars.format(Math.abs(cents) / 100)}`;
}

/** Formats cents of a US price as marketing writes them, `99.95` and `949`. */
export function usFigure(cents: number): string {
  return dollars.format(cents / 100).replace(/\.00$/, "");
}

/** The same with its currency, `US$949`. */
export function usd(cents: number): string {
  return `US$${usFigure(cents)}`;
}

const typed = /^(?:(?:a|au|aud)?\s?\$|aud)?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/i;

/** Cents of an amount as people type it (`50`, `49.95`, `$1,424.00`, `A$50.00`); null for what is none. */
export function centsOf(text: string): number | null {
  const [, dollars, cents = ""] = typed.exec(text.trim()) ?? [];
  // Put together from digits: a product with 100 would be off by a fraction here and there.
  return dollars === undefined ? null : Number(dollars.replaceAll(",", "") + cents.padEnd(2, "0"));
}
