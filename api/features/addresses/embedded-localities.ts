import localities from "./australian-localities.json" with { type: "json" };
import { type AddressParts, type AddressProvider, MOST_SUGGESTIONS, type Suggestion } from "./address-provider.ts";

interface Entry extends Suggestion {
  readonly parts: AddressParts;
  readonly locality: string;
  readonly words: readonly string[];
}

const entries: readonly Entry[] = (localities as [string, string, string][]).map(([city, state, postCode]) => ({
  id: `au:${state}:${postCode}:${city}`,
  label: `${city} ${state} ${postCode}`,
  locality: wordsOf(city).join(" "),
  words: wordsOf(`${city} ${state} ${postCode}`),
  parts: { unitNumber: "", streetNumber: "", streetName: "", city, state, postCode, country: "Australia" },
}));

const byId = new Map(entries.map((entry) => [entry.id, entry]));

/**
 * Australian localities that come with the product, by the beginning of their name or post code: '4000' and
 * 'bris' help at once. Of a whole address only what follows the last comma is looked at.
 */
export const embeddedLocalities = {
  async suggest(text: string, country: string): Promise<readonly Suggestion[]> {
    if (country !== "Australia") return [];
    const asked = wordsOf(text.split(",").findLast((part) => part.trim()) ?? "");
    if (asked.length === 0) return [];
    const found = entries.filter(({ words }) => asked.every((word) => words.some((own) => own.startsWith(word))));
    const beginning = asked.join(" ");
    const isFirst = (entry: Entry) => entry.locality.startsWith(beginning);
    return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))].slice(0, MOST_SUGGESTIONS);
  },
  async find(id: string): Promise<AddressParts | null> {
    return byId.get(id)?.parts ?? null;
  },
} satisfies AddressProvider;

/** Lower case, without accents and apostrophes; `Mt` and `Saint` as the list spells them. */
function wordsOf(text: string): string[] {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word === "mt" ? "mount" : word === "saint" ? "st" : word));
}
