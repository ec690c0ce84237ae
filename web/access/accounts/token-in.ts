/** Returns the secret behind `?t=`: the query without its first three characters. */
export function tokenIn(search: string): string {
  return search.slice(3).split("&", 1)[0] ?? "";
}
