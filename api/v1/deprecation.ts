/** A call that is to be used no more (docs/versioning.md). */
interface Deprecation {
  /** Since when, `YYYY-MM-DD`. */
  readonly since: string;
  /** What to do instead, as a sentence. */
  readonly instead: string;
  /** The first day on which it is gone, `YYYY-MM-DD`; none while nobody has decided that it goes. */
  readonly sunset?: string;
}

/**
 * Marks a call as deprecated, in OpenAPI and in its answers' headers: `Deprecation` is RFC 9745's, a moment in seconds
 * since the epoch; `Sunset` is RFC 8594's, an HTTP date; `Link` leads to the page that says what to do.
 */
export function deprecated({ since, instead, sunset }: Deprecation, headers: Readonly<Record<string, string>> = {}) {
  return {
    deprecated: instead,
    headers: {
      ...headers,
      deprecation: `@${Date.parse(since) / 1000}`,
      link: '</v1/docs>; rel="deprecation"; type="text/html"',
      ...(sunset ? { sunset: new Date(sunset).toUTCString() } : {}),
    },
  };
}
