const kilobytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 1 });

/** Bytes in a few words, such as `18.4 MB`; in thousands, as the limits of uploads count. */
export function fileSize(bytes: number): string {
  // From here on, kilobytes would round up to a thousand.
  if (bytes >= 999_500) return `${megabytes.format(bytes / 1_000_000)} MB`;
  return `${kilobytes.format(bytes === 0 ? 0 : Math.max(1, bytes / 1_000))} kB`;
}
