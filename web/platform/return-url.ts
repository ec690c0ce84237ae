/**
 * The place to go back to, if it lies on this site; null for everything else (`//evil`, `/\evil`, `https:…`,
 * and paths that only become foreign once their dots are resolved).
 */
export function safeReturnUrl(value: unknown, origin: string = window.location.origin): string | null {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value) || value.includes("\\") || hasControls(value))
    return null;
  let url: URL;
  try {
    url = new URL(value, origin);
  } catch {
    return null;
  }
  if (url.origin !== origin || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search + url.hash;
}

function hasControls(value: string): boolean {
  for (const character of value) if (character <= " " || character === "\u007f") return true;
  return false;
}
