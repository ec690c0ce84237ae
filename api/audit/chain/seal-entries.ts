import type { Pool } from "pg";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { getAuditKey } from "./audit-key.ts";
import { createSeal, hashLink, type SealedRow, type SealedSource, toIsoTime } from "./seals.ts";

/** Key of the advisory lock that lets one process at a time extend the chain. */
const CHAIN_LOCK = 7_426_003;

/** Maximum number of links in one transaction. */
const BATCH_SIZE = 500;

/** Hash before the first link. */
export const FIRST_HASH = "0".repeat(64);

export const tableOfSource: Readonly<Record<SealedSource, string>> = {
  audit: "audit_entries",
  event: "security_events",
};

interface Unsealed {
  readonly number: string;
  readonly source: SealedSource;
  readonly isAdopted: boolean;
  readonly isLinked: boolean;
  readonly row: SealedRow | null;
}

interface NewLink {
  readonly number: number;
  readonly source: SealedSource;
  readonly entry_id: string;
  readonly at: string;
  readonly is_adopted: boolean;
  readonly seal: string;
  readonly hash: string;
}

/**
 * Links new audit entries and security events to the chain a few seconds after they were written, so that a change by
 * staff never waits for another (decision 0060). An entry without a seal was written by someone else and gets no link.
 */
export const sealEntries: Sweep = {
  name: "seal-entries",
  everySeconds: 5,
  async run(context) {
    const key = getAuditKey(context);
    if (key === null) return 0;
    return inTransaction(context, (em) => sealBatch(em, key));
  },
};

async function sealBatch(em: EntityManager, key: string): Promise<number> {
  const lock = await queryRow<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [CHAIN_LOCK]);
  if (!lock.taken) return 0;
  const waiting = await query<Unsealed>(
    em,
    `select u.number, u.source, u.is_adopted as "isAdopted", l.number is not null as "isLinked",
            coalesce(to_jsonb(a), to_jsonb(e)) as row
       from unsealed_entries u
       left join audit_entries a on u.source = 'audit' and a.id = u.entry_id
       left join security_events e on u.source = 'event' and e.id = u.entry_id
       left join audit_links l on l.entry_id = u.entry_id
      order by u.number limit ${BATCH_SIZE}`,
    [],
  );
  if (waiting.length === 0) return 0;
  const [head] = await query<{ number: string; hash: string; isAdopted: boolean }>(
    em,
    `select number, hash, is_adopted as "isAdopted" from audit_links order by number desc limit 1`,
    [],
  );
  let { number, hash, adopts } = {
    number: Number(head?.number ?? 0),
    hash: head?.hash ?? FIRST_HASH,
    adopts: head?.isAdopted ?? true,
  };
  const links: NewLink[] = [];
  const seen = new Set<unknown>();
  for (const { source, isAdopted, isLinked, row } of waiting) {
    if (!row || isLinked || seen.has(row["id"])) continue;
    seen.add(row["id"]);
    const mayAdopt = isAdopted && adopts && typeof row["seal"] !== "string";
    const seal = mayAdopt ? await adoptEntry(em, key, source, row) : row["seal"];
    if (typeof seal !== "string") continue;
    adopts = mayAdopt;
    number++;
    const link = { number, source, entry_id: String(row["id"]), at: toIsoTime(row["at"]), is_adopted: mayAdopt, seal };
    hash = hashLink(key, [hash, ...Object.values(link)]);
    links.push({ ...link, hash });
  }
  await query(
    em,
    `insert into audit_links (number, source, entry_id, at, is_adopted, seal, hash)
     select number, source, entry_id, at, is_adopted, seal, hash from jsonb_to_recordset($1::jsonb) as one
       (number bigint, source text, entry_id uuid, at timestamptz, is_adopted boolean, seal text, hash text)`,
    [JSON.stringify(links)],
  );
  await query(em, "delete from unsealed_entries where number = any($1)", [waiting.map((one) => one.number)]);
  return waiting.length;
}

/** Seals an entry that is older than the chain, and returns its seal. */
async function adoptEntry(em: EntityManager, key: string, source: SealedSource, row: SealedRow): Promise<string> {
  const columns = createSeal(key, source, row);
  await query(em, "select seal_earlier_entry($1, $2, $3)", [source, row["id"], JSON.stringify(columns)]);
  return columns["seal"] ?? "";
}

/** Number and hash of a link of the chain. */
export interface LastLink {
  readonly number: number;
  readonly hash: string;
}

/** Returns the last link of the chain, or null if there is none yet. */
export async function readLastLink(database: Pick<Pool, "query">): Promise<LastLink | null> {
  const { rows } = await database.query<LastLink>(
    "select number::float8 as number, hash from audit_links order by number desc limit 1",
  );
  return rows[0] ?? null;
}

/**
 * Logs the last link every minute, outside the reach of whoever owns the database, so that `audit verify --since` finds links
 * that were removed from the end.
 */
export const logLastLink: Sweep = {
  name: "log-last-link",
  everySeconds: 60,
  async run({ log, pool }) {
    const last = await readLastLink(pool);
    if (last) log.info({ event: "audit.last-link", link: last.number, hash: last.hash }, "last link of the audit log");
    return 0;
  },
};
