import MiniSearch from "minisearch";

/** Builds a search of texts for words that are similar to those of a query, for queries with typing errors. */
export function indexSimilar<Text extends { readonly name: string; readonly text: string }>(
  texts: readonly Text[],
): (query: string) => Text[] {
  const index = new MiniSearch<{ id: number; name: string; text: string }>({
    fields: ["name", "text"],
    searchOptions: { boost: { name: 4 }, combineWith: "AND", ...typingErrors },
  });
  index.addAll(texts.map(({ name, text }, id) => ({ id, name, text })));
  return (query) => index.search(query).flatMap(({ id }) => texts[Number(id)] ?? []);
}

/**
 * Options of MiniSearch that tolerate unfinished words and typing errors: one wrong letter in words of four letters or more, and
 * two from six letters on, because two swapped letters count as two ("licnece").
 */
export const typingErrors = {
  // Don't match a single character as a prefix, because too many words start with it.
  prefix: (term: string) => term.length > 1,
  fuzzy: (term: string) => (term.length > 3 ? 0.28 : false),
  maxFuzzy: 2,
};
