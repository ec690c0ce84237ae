/** Parses an amount in dollars, such as "1,049.95", to cents; null if it isn't one. */
export function parseAmount(text: string): number | null {
  const [, dollars, cents = ""] = /^(?:A?\$)?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", "")) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}
