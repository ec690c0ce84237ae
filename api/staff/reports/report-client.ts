import { type Duplex, finished, type Readable } from "node:stream";
import { escapeLiteral, type Pool, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";

/** Buffer size in bytes between the database and the client. */
export const HIGH_WATER_MARK = 256 * 1_024;

// A lost connection also makes its statement fail, and the error is handled there. An unhandled "error" event would end
// the process.
const ignoreError = () => {};

/**
 * Session settings of report connections. Rows are read in index order, so that the first ones arrive without sorting
 * all rows, and lookups are cached. Each report uses one CPU core, which leaves the others free for interactive
 * requests. Times are in the vendor's time zone.
 */
export const reportSettings = `set timezone = ${escapeLiteral(brand.timeZone)}; set enable_sort = off; set work_mem = '64MB'; set jit = off; set max_parallel_workers_per_gather = 0`;

/** Pools that can cancel the statements of a report's connection, which may be one to the replica. */
const cancellers = new WeakMap<PoolClient, Pool>();

/** Takes a connection for a report from the pool of the replica or primary. Release it with {@link releaseAfter}. */
export async function takeReportClient({
  reads,
  reportPool,
}: Pick<Context, "reads" | "reportPool">): Promise<PoolClient> {
  const ofReplica = reads.findReportPool();
  const client = await (ofReplica?.reportPool ?? reportPool).connect();
  if (ofReplica) cancellers.set(client, ofReplica.canceller);
  client.on("error", ignoreError);
  try {
    await client.query(reportSettings);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return client;
}

/** Streams the output of COPY for a statement. @param format format options of COPY */
export function streamCopy(client: PoolClient, statement: string, format: string): ReturnType<typeof copyTo> {
  const lines = client.query(copyTo(`copy (${statement}) to stdout (${format})`, { highWaterMark: HIGH_WATER_MARK }));
  // The stream may fail again after it has been abandoned, because its connection is closed.
  lines.on("error", ignoreError);
  return lines;
}

/**
 * Releases a report's connection exactly once, after its file was read completely, failed or was abandoned, even before
 * the first byte. Aborts the file if the connection is lost.
 */
export function releaseAfter(context: Pick<Context, "pool" | "log">, file: Readable, client: PoolClient): void {
  const abort = () => file.destroy(new Error("The database connection of a report was lost."));
  client.once("end", abort);
  finished(file, (error) => {
    client.removeListener("end", abort);
    if (error) file.destroy();
    release(context, client, !error);
  });
}

/**
 * Releases a report's connection. If the report is unfinished, cancels its statement and closes the connection, because
 * PostgreSQL would notice a disconnected client only at its next write.
 */
function release({ pool, log }: Pick<Context, "pool" | "log">, client: PoolClient, isDone: boolean): void {
  if (isDone) {
    client.removeListener("error", ignoreError);
    return client.release();
  }
  const { processID, connection } = client as PoolClient & { processID?: number; connection?: { stream?: Duplex } };
  void (cancellers.get(client) ?? pool)
    .query("select pg_cancel_backend($1)", [processID ?? 0])
    .catch((error: unknown) => log.warn({ err: error }, "Cancelling an abandoned report failed"))
    .finally(() => {
      client.release(true);
      // No one reads the rest of an abandoned copy, so its connection would wait forever.
      connection?.stream?.destroy();
    });
}
