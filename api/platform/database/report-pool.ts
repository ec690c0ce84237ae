import pg from "pg";
import { type DatabaseAddress, toPoolConfig } from "./database.ts";

/** Maximum number of reports that one process runs at the same time. Further reports wait for a connection. */
const MAX_CONCURRENT = 2;

/** Longest time a report may take in milliseconds, including the time its reader needs. */
const TIMEOUT_MS = 15 * 60_000;

/** A pool that tracks running reports, so a process that stops doesn't have to wait up to 15 minutes for slow readers. */
export class ReportPool extends pg.Pool {
  readonly #running = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on("acquire", (client) => this.#running.add(client));
    this.on("release", (_error, client) => this.#running.delete(client));
  }

  /** Aborts running reports by closing their connections. Their readers receive an incomplete file. */
  abortReports(): void {
    for (const client of this.#running) void client.end();
  }
}

/**
 * Opens the separate pool for reports. Reports can take minutes to read millions of rows, so they have their own time
 * limits and must not delay fast requests. Connections are opened when first needed.
 */
export function openReportPool(address: DatabaseAddress): ReportPool {
  const pool = new ReportPool({
    ...toPoolConfig(address),
    max: MAX_CONCURRENT,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: TIMEOUT_MS,
    idle_in_transaction_session_timeout: TIMEOUT_MS,
    application_name: "reports",
  });
  // A lost idle connection is replaced. Without a listener, its error event would end the process.
  pool.on("error", () => {});
  return pool;
}
