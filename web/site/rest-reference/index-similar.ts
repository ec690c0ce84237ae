import MiniSearch from "minisearch";
import { typingErrors } from "#web/site/typing-errors.ts";

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
