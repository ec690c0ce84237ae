/** Returns the token from `?t=`, that is, the query without its first three characters. */
export function getLinkToken(search: string): string {
  return search.slice(3).split("&", 1)[0] ?? "";
}
