const formats = new Map<number, Intl.NumberFormat>();

/** Returns a number with separators, `1,204`; with at most `decimals` decimals, none unless given. */
export function formatNumber(value: number, decimals = 0): string {
  const format = formats.get(decimals) ?? new Intl.NumberFormat("en-AU", { maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return format.format(value);
}
