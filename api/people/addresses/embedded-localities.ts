import localities from "./australian-localities.json" with { type: "json" };
import { type AddressParts, type AddressProvider, MOST_SUGGESTIONS, type Suggestion } from "./address-provider.ts";

/** One row of the list: name, code of the state, post code. Its place in the list is its rank. */
type Row = readonly [city: string, state: string, postCode: string];

const rows = localities as unknown as readonly Row[];

/** The list's words in order; `ranks[n]` are the rows that have `words[n]`, best first. */
interface Index {
  /** Each row's words behind a space each: ` mount isa qld 4825`. */
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly ranks: readonly (readonly number[])[];
}

let index: Index | undefined;

/**
 * Every Australian locality, by the beginning of its name or post code: '4000' and 'bris' help at once. Of a whole
 * address the locality is what follows the last comma, or the last words that name one; the words before it are kept as
 * the street.
 */
export const embeddedLocalities = {
  async suggest(text: string, country: string): Promise<readonly Suggestion[]> {
    if (country !== "Australia") return [];
    const parts = text.split(",").filter((part) => part.trim());
    const last = parts.pop() ?? "";
    index ??= indexOf(rows);
    const asked = wordsOf(last);
    if (asked.length === 0) return [];
    const whole = best(index, asked);
    if (whole.length > 0) return whole.map((row) => suggestionOf(row, streetOf(parts.join(" "))));
    return bestOfEnding(index, parts, last);
  },
  async find(id: string): Promise<AddressParts | null> {
    const [, state, postCode, city] = /^au:([A-Z]+):(\d{4}):(.+)$/s.exec(id) ?? [];
    const row = rows.find((one) => one[0] === city && one[1] === state && one[2] === postCode);
    return row ? partsOf(row) : null;
  },
} satisfies AddressProvider;

/** Returns the localities named by the last words of a text, as many of its words as possible, with the rest as street. */
function bestOfEnding(known: Index, before: readonly string[], text: string): Suggestion[] {
  const typed = text.trim().split(/\s+/);
  for (let start = 1; start < typed.length; start += 1) {
    const ending = wordsOf(typed.slice(start).join(" "));
    const [first = ""] = ending;
    const street = streetOf([...before, ...typed.slice(0, start)].join(" "));
    // A locality doesn't begin with 'Street', as in '120 Eagle Street Brisbane'.
    const isStreetType = streetTypes.some((type) => (ending.length === 1 ? type.startsWith(first) : type === first));
    if (first === "" || isStreetType || !street.streetName) continue;
    const found = best(known, ending);
    if (found.length > 0) return found.map((row) => suggestionOf(row, street));
  }
  return [];
}

const streetTypes =
  "avenue boulevard circuit close court crescent drive esplanade highway lane parade place road rd square street terrace way".split(
    " ",
  );

type Street = Pick<AddressParts, "unitNumber" | "streetNumber" | "streetName">;

const streetPattern =
  /^(?:(?:unit|suite|apartment|apt|flat|shop|u)\s*(?<unit>\d\w*)[\s/]+|(?<slashed>\w+)\s*\/\s*)?(?:(?<number>\d+[a-z]?(?:\s?-\s?\d+[a-z]?)?)\s+)?(?<name>.*)$/i;

/** Returns the parts of a street as typed, such as `3/120 Eagle Street` or `Unit 3 120-122 Eagle Street`. */
function streetOf(text: string): Street {
  const { unit, slashed, number = "", name = "" } = streetPattern.exec(text.trim())?.groups ?? {};
  return {
    unitNumber: unit ?? slashed ?? "",
    streetNumber: number,
    streetName: /\p{L}/u.test(name) ? name.trim() : "",
  };
}

/** The rows that have a word for each asked one; those whose name begins with what was asked come first. */
function best({ names, words, ranks }: Index, asked: readonly string[]): Row[] {
  const hits = asked.map((word) => ranks.slice(firstAtLeast(words, word), firstAtLeast(words, `${word}\uffff`)));
  const sizes = hits.map((lists) => lists.reduce((sum, list) => sum + list.length, 0));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const candidates = [...new Set(hits[rarest]?.flat())].sort((a, b) => a - b);
  const beginning = ` ${asked.join(" ")}`;
  const first: Row[] = [];
  const others: Row[] = [];
  for (const rank of candidates) {
    const name = names[rank] as string;
    if (!asked.every((word) => name.includes(` ${word}`))) continue;
    if (name.startsWith(beginning)) first.push(rows[rank] as Row);
    else if (others.length < MOST_SUGGESTIONS) others.push(rows[rank] as Row);
    if (first.length === MOST_SUGGESTIONS) break;
  }
  return [...first, ...others].slice(0, MOST_SUGGESTIONS);
}

/** Where a word stands, or would stand, in a sorted list. */
function firstAtLeast(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexOf(list: readonly Row[]): Index {
  const ranksOf = new Map<string, number[]>();
  const wordsOfRows = list.map((row) => wordsOf(row.join(" ")));
  for (const [rank, own] of wordsOfRows.entries())
    for (const word of new Set(own)) {
      const known = ranksOf.get(word);
      if (known) known.push(rank);
      else ranksOf.set(word, [rank]);
    }
  const words = [...ranksOf.keys()].sort();
  return {
    names: wordsOfRows.map((own) => ` ${own.join(" ")}`),
    words,
    ranks: words.map((word) => ranksOf.get(word) ?? []),
  };
}

function suggestionOf(row: Row, street: Street): Suggestion {
  const [city, state, postCode] = row;
  return { id: `au:${state}:${postCode}:${city}`, label: row.join(" "), parts: { ...partsOf(row), ...street } };
}

function partsOf([city, state, postCode]: Row): AddressParts {
  return { unitNumber: "", streetNumber: "", streetName: "", city, state, postCode, country: "Australia" };
}

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
