const kilobytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 1 });

/** Version and size of an installer in a few words, such as '7.2.0, 18.4 MB'. */
export function factsOfInstaller({ version, sizeBytes }: { version: string; sizeBytes: number }): string {
  // From here on, kilobytes would round up to a thousand.
  const size =
    sizeBytes < 999_500
      ? `${kilobytes.format(Math.max(1, sizeBytes / 1_000))} kB`
      : `${megabytes.format(sizeBytes / 1_000_000)} MB`;
  return `${version}, ${size}`;
}
