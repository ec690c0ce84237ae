import type { Pool } from "pg";
import { searchParts, type SearchTerm } from "#schema/search-terms.ts";
import type { Context } from "#api/platform/context.ts";
import type { UsersPart, UsersWanted } from "./list-users-statement.ts";

/**
 * How a search finds its page: `looked-up` takes all that the words' index knows and sorts them, good for rare words;
 * `walked` follows the order until the page is full, good for common ones; `planned` leaves it to PostgreSQL, which has
 * to plan it anew for its words each time, and that costs several times what finding a rare word does.
 */
export type SearchWay = "planned" | "looked-up" | "walked";

/** How often words occur in users, as PostgreSQL's last `analyze` saw it. */
export interface WordShares {
  readonly users: number;
  /** Sorted by code units; those that one user in a thousand has, and more. */
  readonly words: readonly string[];
  readonly shares: readonly number[];
}

const KEPT_MS = 10 * 60_000;
const LEAST_SHARE = 0.001;
/** A walk looks at a row in half the time that looking one up takes; four times that for words that stand in clumps. */
const CAUTION = 2;
/**
 * Who is called alike stands together in the order of names, and a walk would be a long one, but for words that so many
 * have: they cannot stand together.
 */
const SCATTERED = 0.2;
/** Words need not meet as often as chance would have them; each that must be beside another counts for so much less. */
const TOGETHER = 0.2;

const known = new WeakMap<Pool, { shares: WordShares | null; until: number }>();

/**
 * The way of a search in an order: as good as PostgreSQL's own choice, from the same statistics, at no cost. Better than
 * that for beginnings of rare words: PostgreSQL expects one user in 200 to have any, and would walk through all of them
 * in vain. What else is wanted is left to its plan of the way.
 */
export function searchWay(context: Context, wanted: UsersWanted, { sortBy, offset, limit }: UsersPart): SearchWay {
  const search = wanted.search ?? "";
  const shares = searchParts(search).length > 0 ? wordShares(context) : null;
  if (!shares) return "planned";
  if (!isCommon(shares, search, offset + limit)) return "looked-up";
  const isByName = ["FIRST_NAME", "LAST_NAME", "COMPANY", "EMAIL"].includes(sortBy);
  return isByName && shareOf(shares, search) < SCATTERED ? "looked-up" : "walked";
}

/** Whether so many are found sooner by walking through all users than by sorting all that the words find. */
export function isCommon(shares: WordShares, search: string, rows: number): boolean {
  const found = shareOf(shares, search) * shares.users;
  return found * found > CAUTION * rows * shares.users;
}

function shareOf(shares: WordShares, search: string): number {
  const words = searchParts(search).flatMap(({ terms }) => terms.flatMap((term) => sharesOfTerm(shares, term)));
  return words.reduce((all, one) => all * one, 1) * TOGETHER ** Math.max(0, words.length - 1);
}

function sharesOfTerm(shares: WordShares, { words, whole }: SearchTerm): number[] {
  return words.map((word, index) => shareOfWord(shares, word, whole || index < words.length - 1));
}

function shareOfWord({ words, shares }: WordShares, word: string, whole: boolean): number {
  let from = 0;
  for (let to = words.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if ((words[middle] ?? "") < word) from = middle + 1;
    else to = middle;
  }
  if (whole) return words[from] === word ? (shares[from] ?? 0) : 0;
  // One user may have several of the words that begin so.
  let without = 1;
  for (let at = from; words[at]?.startsWith(word); at++) without *= 1 - (shares[at] ?? 0);
  return 1 - without;
}

/** What is known now; read again every ten minutes, beside the requests, of which none waits for it. */
function wordShares({ pool, clock, log }: Context): WordShares | null {
  const now = clock.now().getTime();
  const before = known.get(pool);
  if (before && now < before.until && before.until - now <= KEPT_MS) return before.shares;
  known.set(pool, { shares: before?.shares ?? null, until: now + KEPT_MS });
  void readWordShares(pool).then(
    (shares) => known.set(pool, { shares, until: now + KEPT_MS }),
    (error: unknown) => log.warn({ err: error }, "how common words are in users could not be read"),
  );
  return before?.shares ?? null;
}

/** Null while the table has never been analysed. */
export async function readWordShares(pool: Pool): Promise<WordShares | null> {
  const { rows } = await pool.query<{ users: number; word: string; share: number }>({
    name: "word-shares",
    text: `select c.reltuples::float8 as users, e.word, e.share::float8 as share
             from pg_class c
             join pg_stats s on s.schemaname = current_schema() and s.tablename = 'users' and s.attname = 'search',
                  unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (word, share)
            where c.oid = 'users'::regclass and e.word is not null and e.share >= $1`,
    values: [LEAST_SHARE],
  });
  const [first] = rows;
  if (!first || first.users < 1) return null;
  const sorted = rows.toSorted((a, b) => (a.word < b.word ? -1 : 1));
  return { users: first.users, words: sorted.map(({ word }) => word), shares: sorted.map(({ share }) => share) };
}
