import pg from "pg";
import type { DatabaseAddress } from "./database.ts";

/** Reports at a time in one process; further ones wait for as long as a connection may take. */
const AT_ONCE = 2;

/** How long a report may take, however slowly its reader takes it in. */
const LONGEST_MS = 15 * 60_000;

/** Knows its reports under way, so that a process that stops need not wait a quarter of an hour for a slow reader. */
export class ReportPool extends pg.Pool {
  readonly #running = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on("acquire", (client) => this.#running.add(client));
    this.on("release", (_error, client) => this.#running.delete(client));
  }

  /** Ends the connections of the reports under way; whoever reads one of them is told by a file that breaks off. */
  breakOff(): void {
    for (const client of this.#running) void client.end();
  }
}

/**
 * Connections for reports alone: what reads millions of rows for minutes must not keep those waiting that answer in
 * milliseconds, and has other time limits. Opened when first needed.
 */
export function openReportPool(address: DatabaseAddress): ReportPool {
  const { url, dbName, ...socket } =
    "url" in address ? { ...address, dbName: undefined } : { ...address, url: undefined };
  const pool = new ReportPool({
    ...(url ? { connectionString: url } : { user: "postgres", ...socket, database: dbName }),
    max: AT_ONCE,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: LONGEST_MS,
    idle_in_transaction_session_timeout: LONGEST_MS,
    application_name: "reports",
  });
  // An idle connection that dies is replaced; unheard, it would end the process.
  pool.on("error", () => {});
  return pool;
}
