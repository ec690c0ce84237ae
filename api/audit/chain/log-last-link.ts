import type { Pool } from "pg";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";

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
