const kilobytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 1 });

/** Bytes in a few words, such as `18.4 MB`; in thousands, as the limits of uploads count. */
export function fileSize(bytes: number): string {
  // From here on, kilobytes would round up to a thousand.
  if (bytes >= 999_500) return `${megabytes.format(bytes / 1_000_000)} MB`;
  return `${kilobytes.format(bytes === 0 ? 0 : Math.max(1, bytes / 1_000))} kB`;
}

const formats = new Map<number, Intl.NumberFormat>();

/** Returns a number with separators, `1,204`; with at most `decimals` decimals, none unless given. */
export function formatNumber(value: number, decimals = 0): string {
  const format = formats.get(decimals) ?? new Intl.NumberFormat("en-AU", { maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return format.format(value);
}
