let codes: Map<string, string> | undefined;

/** The two-letter code of a country by its English name (`Australia` → `au`); undefined for an unknown name. */
export function regionCodeOf(country: string): string | undefined {
  codes ??= namesOfRegions();
  return codes.get(plain(country));
}

function namesOfRegions(): Map<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const found = new Map<string, string>();
  for (const first of letters)
    for (const second of letters) {
      const name = names.of(first + second);
      // The first code of a name is the one in use; withdrawn ones come with the name of their successor.
      if (name && !found.has(plain(name))) found.set(plain(name), (first + second).toLowerCase());
    }
  return found;
}

/** Names are spelt in more than one way: `Saint Lucia` and `St. Lucia`, `&` and `and`. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/\bst\./g, "saint")
    .replace(/[^a-z]/g, "");
}
