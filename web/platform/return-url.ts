/**
 * Returns the URL to go back to, or null if it isn't on this site (`//evil`, `/\evil`, `https:…`, and paths that only
 * lead to another site once their dots are resolved).
 */
export function toSafeReturnUrl(value: unknown, origin: string = window.location.origin): string | null {
  if (typeof value !== "string" || !/^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/.test(value)) return null;
  let url: URL;
  try {
    url = new URL(value, origin);
  } catch {
    return null;
  }
  if (url.origin !== origin || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search + url.hash;
}

/** Returns the URL that the state of a navigation says the user came from, or null if there is none on this site. */
export function readCameFrom(state: unknown): string | null {
  return toSafeReturnUrl((state as { from?: unknown } | null)?.from);
}
