const kilobytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 1 });

/** Formats a file size, such as `18.4 MB`, in decimal units, as upload limits are. */
export function formatFileSize(bytes: number): string {
  // Larger sizes would round up to 1,000 kB.
  if (bytes >= 999_500) return `${megabytes.format(bytes / 1_000_000)} MB`;
  return `${kilobytes.format(bytes === 0 ? 0 : Math.max(1, bytes / 1_000))} kB`;
}

/** Formats a number with its noun, whose plural ends in s, such as `1 day` and `1,204 days`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const formats = new Map<number, Intl.NumberFormat>();

/** Formats a number with thousands separators, such as `1,204`, and at most `decimals` decimal places. */
export function formatNumber(value: number, decimals = 0): string {
  const format = formats.get(decimals) ?? new Intl.NumberFormat("en-AU", { maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return format.format(value).replace("-", "−");
}
