/** Why an address is never posted to, as a sentence; null when it may be. */
export function refusalOfUrl(url: URL, allowsLoopback: boolean): string | null {
  return url.protocol === "https:" || allowsLoopback ? null : "URL must start with https://.";
}
