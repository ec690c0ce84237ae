/** The secret behind `?t=`: what stands after the first three characters of the query. */
export function tokenIn(search: string): string {
  return search.slice(3).split("&", 1)[0] ?? "";
}
