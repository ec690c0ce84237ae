import localities from "./australian-localities.json" with { type: "json" };
import { type AddressProvider, MAX_SUGGESTIONS } from "./address-provider.ts";
import type { AddressSuggestion, SuggestedAddress } from "./address.resolver.ts";

/** A row of the list: name, state code, post code. Its position in the list is its rank. */
type Row = readonly [city: string, state: string, postCode: string];

const rows = localities as unknown as readonly Row[];

/** The words of the list, sorted. `ranks[n]` are the rows that contain `words[n]`, best first. */
interface Index {
  /** The words of each row, each preceded by a space: ` mount isa qld 4825`. */
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly ranks: readonly (readonly number[])[];
}

let index: Index | undefined;

/**
 * Suggests Australian localities by the beginning of their name or post code, such as '4000' or 'bris'. In a full
 * address, the locality is the text after the last comma or, if that doesn't match, as many of the last words as match
 * a locality. The words before the locality become the street.
 */
export const embeddedLocalities = {
  async suggest(text: string, country: string): Promise<readonly AddressSuggestion[]> {
    if (country !== "Australia") return [];
    const parts = text.split(",").filter((part) => part.trim());
    const last = parts.pop() ?? "";
    index ??= buildIndex(rows);
    const terms = splitWords(last);
    if (terms.length === 0) return [];
    const whole = findBest(index, terms);
    if (whole.length > 0) return whole.map((row) => toSuggestion(row, parseStreet(parts.join(" "))));
    return findByLastWords(index, parts, last);
  },
  async find(id: string): Promise<SuggestedAddress | null> {
    const [, state, postCode, city] = /^au:([A-Z]+):(\d{4}):(.+)$/s.exec(id) ?? [];
    const row = rows.find((one) => one[0] === city && one[1] === state && one[2] === postCode);
    return row ? toParts(row) : null;
  },
} satisfies AddressProvider;

/** Returns the localities that match as many of the last words as possible, with the rest as the street. */
function findByLastWords(known: Index, before: readonly string[], text: string): AddressSuggestion[] {
  const typed = text.trim().split(/\s+/);
  for (let start = 1; start < typed.length; start += 1) {
    const ending = splitWords(typed.slice(start).join(" "));
    const [first = ""] = ending;
    const street = parseStreet([...before, ...typed.slice(0, start)].join(" "));
    // A locality doesn't begin with 'Street', as in '120 Eagle Street Brisbane'.
    const isStreetType = streetTypes.some((type) => (ending.length === 1 ? type.startsWith(first) : type === first));
    if (first === "" || isStreetType || !street.streetName) continue;
    const found = findBest(known, ending);
    if (found.length > 0) return found.map((row) => toSuggestion(row, street));
  }
  return [];
}

const streetTypes =
  "avenue boulevard circuit close court crescent drive esplanade highway lane parade place road rd square street terrace way".split(
    " ",
  );

type Street = Pick<SuggestedAddress, "unitNumber" | "streetNumber" | "streetName">;

const streetPattern =
  /^(?:(?:unit|suite|apartment|apt|flat|shop|u) ?(?<unit>\d\w*)(?: ?\/ ?| )|(?<slashed>\w+) ?\/ ?)?(?:(?<number>\d+[a-z]?(?: ?- ?\d+[a-z]?)?) )?(?<name>[^]*)$/i;

/** Returns the parts of a street as typed, such as `3/120 Eagle Street` or `Unit 3 120-122 Eagle Street`. */
function parseStreet(text: string): Street {
  const { unit, slashed, number = "", name = "" } = streetPattern.exec(text.trim().replace(/\s+/g, " "))?.groups ?? {};
  return {
    unitNumber: unit ?? slashed ?? "",
    streetNumber: number,
    streetName: /\p{L}/u.test(name) ? name.trim() : "",
  };
}

/** Returns the rows that match every term. Rows whose name begins with the terms come first. */
function findBest({ names, words, ranks }: Index, terms: readonly string[]): Row[] {
  const hits = terms.map((word) => ranks.slice(lowerBound(words, word), lowerBound(words, `${word}\uffff`)));
  const sizes = hits.map((lists) => lists.reduce((sum, list) => sum + list.length, 0));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const candidates = [...new Set(hits[rarest]?.flat())].sort((a, b) => a - b);
  const beginning = ` ${terms.join(" ")}`;
  const first: Row[] = [];
  const others: Row[] = [];
  for (const rank of candidates) {
    const name = names[rank] as string;
    if (!terms.every((word) => name.includes(` ${word}`))) continue;
    if (name.startsWith(beginning)) first.push(rows[rank] as Row);
    else if (others.length < MAX_SUGGESTIONS) others.push(rows[rank] as Row);
    if (first.length === MAX_SUGGESTIONS) break;
  }
  return [...first, ...others].slice(0, MAX_SUGGESTIONS);
}

/** Returns the position of a word in a sorted list, or the position to insert it at. */
function lowerBound(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function buildIndex(list: readonly Row[]): Index {
  const ranksByWord = new Map<string, number[]>();
  const wordsPerRow = list.map((row) => splitWords(row.join(" ")));
  for (const [rank, rowWords] of wordsPerRow.entries())
    for (const word of new Set(rowWords)) {
      const known = ranksByWord.get(word);
      if (known) known.push(rank);
      else ranksByWord.set(word, [rank]);
    }
  const words = [...ranksByWord.keys()].sort();
  return {
    names: wordsPerRow.map((rowWords) => ` ${rowWords.join(" ")}`),
    words,
    ranks: words.map((word) => ranksByWord.get(word) ?? []),
  };
}

function toSuggestion(row: Row, street: Street): AddressSuggestion {
  const [city, state, postCode] = row;
  return { id: `au:${state}:${postCode}:${city}`, label: row.join(" "), parts: { ...toParts(row), ...street } };
}

function toParts([city, state, postCode]: Row): SuggestedAddress {
  return { unitNumber: "", streetNumber: "", streetName: "", city, state, postCode, country: "Australia" };
}

/** Splits text into lower-case words without accents and apostrophes. Spells `Mt` and `Saint` as the list does. */
function splitWords(text: string): string[] {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word === "mt" ? "mount" : word === "saint" ? "st" : word));
}
