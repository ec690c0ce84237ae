import type { Pool } from "pg";
import { SECURITY_EVENT_DAYS } from "#schema/security-event.ts";
import { DAY } from "#api/platform/clock.ts";
import { FIRST_HASH, tableOfSource } from "./seal-entries.ts";
import { findSealProblem, hashLink, type SealedRow, type SealedSource, sealedShapes, toIsoTime } from "./seals.ts";

/** Result of a verification. */
export interface ChainReport {
  readonly ok: boolean;
  /** Number of links checked. */
  readonly links: number;
  /** Number of correctly sealed entries that have no link yet. */
  readonly waiting: number;
  /** The last link. Compare it with an earlier report to see whether the end of the chain was removed. */
  readonly last: { readonly number: number; readonly hash: string };
  /** The first bad row. */
  readonly problem?: ChainProblem;
}

interface ChainProblem {
  readonly source: SealedSource | "link";
  readonly id: string;
  /** Number of the link. Null for an entry without one. */
  readonly link: number | null;
  /** The problem, such as "was changed". */
  readonly what: string;
}

interface LinkedRow {
  readonly number: string;
  readonly source: SealedSource;
  readonly entryId: string;
  readonly at: Date | string;
  readonly isAdopted: boolean;
  readonly seal: string;
  readonly hash: string;
  readonly row: SealedRow | null;
  readonly userErased: boolean;
  readonly actorErased: boolean;
}

const BATCH_SIZE = 1_000;

/** Time after which an event may be gone, one day before the purge deletes it. */
const PURGED_MS = (SECURITY_EVENT_DAYS - 1) * DAY;

/**
 * Checks every link and every entry, and stops at the first one that was changed, removed or inserted.
 * @param now current time by the database's clock
 * @param since hash of a link, from the log, a backup or an earlier report, which the chain must contain. Otherwise links were
 * removed from its end.
 */
export async function verifyChain(pool: Pool, key: string, now: Date, since?: string): Promise<ChainReport> {
  let last = { number: 0, hash: FIRST_HASH };
  let isSinceFound = since === undefined || since === FIRST_HASH;
  let adopts = true;
  const purgedBefore = Math.min(now.getTime() - PURGED_MS, await readLastPurge(pool));
  for (;;) {
    const rows = await readLinks(pool, last.number);
    for (const linked of rows) {
      const what = findLinkProblem(key, last, linked, adopts) ?? findEntryProblem(key, linked, purgedBefore);
      const { source, entryId: id } = linked;
      const number = Number(linked.number);
      if (what) return { ok: false, links: last.number, waiting: 0, last, problem: { source, id, link: number, what } };
      last = { number, hash: linked.hash };
      isSinceFound ||= linked.hash === since;
      adopts = linked.isAdopted;
    }
    if (rows.length < BATCH_SIZE) break;
  }
  if (!isSinceFound) {
    const problem = {
      source: "link",
      id: since ?? "",
      link: null,
      what: "isn't in the chain: its end was removed",
    } as const;
    return { ok: false, links: last.number, waiting: 0, last, problem };
  }
  const { waiting, problem } = await checkUnlinked(pool, key, adopts);
  const report = { ok: !problem, links: last.number, waiting, last };
  return problem ? { ...report, problem } : report;
}

/** Returns the time before which the last purge deleted security events, according to its entry; 0 without a purge. */
async function readLastPurge(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select max(extract(epoch from (after->>'before')::timestamptz) * 1000)::float8 as ms
       from audit_entries where action = 'purge-security-events'`,
  );
  return rows[0]?.ms ?? 0;
}

/**
 * Returns SQL that is true if a user was erased. The row of the erasure alone proves nothing, because whoever owns the tables
 * can insert one. An entry in the audit log has a seal.
 */
const isErasedSql = (user: string) =>
  `exists (select from erasures x join audit_entries z on z.user_id = x.user_id and z.action = 'erase-user'
            where x.user_id = ${user})`;

async function readLinks(pool: Pool, after: number): Promise<LinkedRow[]> {
  const { rows } = await pool.query<LinkedRow>(
    `select l.number, l.source, l.entry_id as "entryId", l.at, l.is_adopted as "isAdopted", l.seal, l.hash,
            coalesce(to_jsonb(a), to_jsonb(e)) as row,
            ${isErasedSql("coalesce(a.user_id, e.user_id)")} as "userErased",
            ${isErasedSql("coalesce(a.actor_id, e.actor_id)")} as "actorErased"
       from audit_links l
       left join audit_entries a on l.source = 'audit' and a.id = l.entry_id
       left join security_events e on l.source = 'event' and e.id = l.entry_id
      where l.number > $1 order by l.number limit ${BATCH_SIZE}`,
    [after],
  );
  return rows;
}

function findLinkProblem(
  key: string,
  last: { number: number; hash: string },
  linked: LinkedRow,
  adopts: boolean,
): string | null {
  const { source, entryId, isAdopted, seal } = linked;
  const number = Number(linked.number);
  if (number !== last.number + 1) return `has no link before it: link ${last.number + 1} was removed`;
  if (isAdopted && !adopts) return "was linked as an earlier entry after the chain began";
  const link = [last.hash, number, source, entryId, toIsoTime(linked.at), isAdopted, seal];
  return hashLink(key, link) === linked.hash ? null : "has a link that was changed";
}

function findEntryProblem(key: string, linked: LinkedRow, purgedBefore: number): string | null {
  const { source, row, at, seal, userErased, actorErased } = linked;
  if (!row) return source === "event" && new Date(at).getTime() < purgedBefore ? null : "was removed";
  if (row["seal"] !== seal || toIsoTime(row["at"]) !== toIsoTime(at)) return "was changed";
  const isErased = (part: string) =>
    part === "actor" ? actorErased : part === "subject" ? userErased : userErased || actorErased;
  return findSealProblem(key, source, row, isErased);
}

/** Checks the entries without a link: new ones that wait for it, and ones that the product didn't write. */
async function checkUnlinked(
  pool: Pool,
  key: string,
  adopts: boolean,
): Promise<{ waiting: number; problem?: ChainProblem }> {
  let waiting = 0;
  for (const source of Object.keys(sealedShapes) as SealedSource[]) {
    const { rows } = await pool.query<{ row: SealedRow; isAdopted: boolean }>(
      `select to_jsonb(t) as row, coalesce(u.is_adopted, false) as "isAdopted"
         from ${tableOfSource[source]} t left join unsealed_entries u on u.source = $1 and u.entry_id = t.id
        where not exists (select from audit_links l where l.entry_id = t.id)
        order by t.at, t.id`,
      [source],
    );
    for (const { row, isAdopted } of rows) {
      const isEarlier = isAdopted && adopts && row["seal"] === null;
      const what = isEarlier ? null : findSealProblem(key, source, row, () => true);
      if (what) return { waiting, problem: { source, id: String(row["id"]), link: null, what } };
      waiting++;
    }
  }
  return { waiting };
}
