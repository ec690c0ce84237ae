import type { Pool } from "pg";
import { parseSearch, type SearchTerm } from "#schema/search.ts";
import type { Context } from "#api/platform/context.ts";
import { isNameOrder, type UserListFilter, type UserListPage } from "./list-users-statement.ts";

/**
 * Strategy for finding a page of a search. `looked-up` reads all matches from the word index and sorts them, which suits
 * rare words. `walked` scans users in list order until the page is full, which suits common words. `planned` leaves the
 * choice to PostgreSQL, which then plans every search separately; planning costs several times as much as finding a rare
 * word.
 */
export type SearchStrategy = "planned" | "looked-up" | "walked";

/** Frequencies of words in users, from PostgreSQL's last `analyze`. */
export interface WordFrequencies {
  readonly users: number;
  /** Words that occur in at least one user in a thousand, sorted by code units. */
  readonly words: readonly string[];
  readonly shares: readonly number[];
}

const CACHE_MS = 10 * 60_000;
const MIN_SHARE = 0.001;
/** A walk reads a row in half the time of a lookup, but may read four times as many rows if matches are clustered. */
const WALK_COST_FACTOR = 2;
/**
 * Share of matching users above which we assume that they are spread evenly over the name order. Below it, the matches
 * may all have the same name, and a walk may take long to reach them.
 */
const SCATTERED_SHARE = 0.2;
/** Factor for each additional word, because words occur together less often than independent frequencies suggest. */
const CO_OCCURRENCE_FACTOR = 0.2;

const cache = new WeakMap<Pool, { shares: WordFrequencies | null; until: number }>();

/**
 * Chooses the strategy of a search from the statistics that PostgreSQL's planner uses, without the planning cost. For
 * prefixes of rare words it does better than the planner, which assumes that one user in 200 matches any prefix and
 * would scan all users in vain. PostgreSQL still plans the other filters.
 */
export function chooseSearchStrategy(
  context: Context,
  wanted: UserListFilter,
  { sortBy, offset, limit }: UserListPage,
): SearchStrategy {
  const search = wanted.search ?? "";
  const shares = parseSearch(search).length > 0 ? getWordShares(context) : null;
  if (!shares) return "planned";
  if (!isCommonSearch(shares, search, offset + limit)) return "looked-up";
  return isNameOrder(sortBy) && estimateShare(shares, search) < SCATTERED_SHARE ? "looked-up" : "walked";
}

/** Returns true if scanning users in list order finds `rows` matches sooner than sorting all matches. */
export function isCommonSearch(shares: WordFrequencies, search: string, rows: number): boolean {
  const found = estimateShare(shares, search) * shares.users;
  return found * found > WALK_COST_FACTOR * rows * shares.users;
}

function estimateShare(shares: WordFrequencies, search: string): number {
  const words = parseSearch(search).flatMap(({ terms }) => terms.flatMap((term) => getTermShares(shares, term)));
  return words.reduce((all, one) => all * one, 1) * CO_OCCURRENCE_FACTOR ** Math.max(0, words.length - 1);
}

function getTermShares(shares: WordFrequencies, { words, isWhole }: SearchTerm): number[] {
  return words.map((word, index) => getWordShare(shares, word, isWhole || index < words.length - 1));
}

function getWordShare({ words, shares }: WordFrequencies, word: string, whole: boolean): number {
  let from = 0;
  for (let to = words.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if ((words[middle] ?? "") < word) from = middle + 1;
    else to = middle;
  }
  if (whole) return words[from] === word ? (shares[from] ?? 0) : 0;
  // A user may have several words with this prefix, so don't simply add up the shares.
  let without = 1;
  for (let at = from; words[at]?.startsWith(word); at++) without *= 1 - (shares[at] ?? 0);
  return 1 - without;
}

/** Returns the cached frequencies. Refreshes them every ten minutes in the background, so no request waits. */
function getWordShares({ pool, clock, log }: Context): WordFrequencies | null {
  const now = clock.now().getTime();
  const cached = cache.get(pool);
  if (cached && now < cached.until && cached.until - now <= CACHE_MS) return cached.shares;
  cache.set(pool, { shares: cached?.shares ?? null, until: now + CACHE_MS });
  void readWordFrequencies(pool).then(
    (shares) => cache.set(pool, { shares, until: now + CACHE_MS }),
    (error: unknown) => log.warn({ err: error }, "could not read word frequencies of users"),
  );
  return cached?.shares ?? null;
}

/** Reads word frequencies from PostgreSQL's statistics; null if the table has never been analysed. */
export async function readWordFrequencies(pool: Pool): Promise<WordFrequencies | null> {
  const { rows } = await pool.query<{ users: number; word: string; share: number }>({
    name: "word-shares",
    text: `select c.reltuples::float8 as users, e.word, e.share::float8 as share
             from pg_class c
             join pg_stats s on s.schemaname = current_schema() and s.tablename = 'users' and s.attname = 'search',
                  unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (word, share)
            where c.oid = 'users'::regclass and e.word is not null and e.share >= $1`,
    values: [MIN_SHARE],
  });
  const [first] = rows;
  if (!first || first.users < 1) return null;
  const sorted = rows.toSorted((a, b) => (a.word < b.word ? -1 : 1));
  return { users: first.users, words: sorted.map(({ word }) => word), shares: sorted.map(({ share }) => share) };
}
