/** A deprecated call (docs/versioning.md). */
interface Deprecation {
  /** Day from which the call is deprecated, `YYYY-MM-DD`. */
  readonly since: string;
  /** Alternative to the call, as a sentence. */
  readonly instead: string;
  /** First day on which the call no longer works, `YYYY-MM-DD`. Undefined if no day has been set. */
  readonly sunset?: string;
}

/**
 * Marks a call as deprecated in OpenAPI and in its response headers: `Deprecation` (RFC 9745, Unix time in seconds),
 * `Sunset` (RFC 8594, an HTTP date), and `Link` to the documentation.
 */
export function markDeprecated(
  { since, instead, sunset }: Deprecation,
  headers: Readonly<Record<string, string>> = {},
) {
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
