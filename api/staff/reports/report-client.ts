import { type Duplex, finished, type Readable } from "node:stream";
import { escapeLiteral, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";

/** Bytes that lie ready between the database and the reader. */
export const HIGH_WATER_MARK = 256 * 1_024;

// A connection that dies fails its statement, which is heard; unheard itself, it would end the process.
const heardElsewhere = () => {};

/**
 * Rows are read in the order of an index, so that the first ones come at once and none wait for a sort of them all; what
 * they refer to is remembered. A report takes one processor, so that the others are left to who waits for an answer. Times are written in the vendor's time zone.
 */
export const reportSettings = `set timezone = ${escapeLiteral(brand.timeZone)}; set enable_sort = off; set work_mem = '64MB'; set jit = off; set max_parallel_workers_per_gather = 0`;

/** A connection for a report, to be given back by {@link giveBackAfter}. */
export async function takeClient({ reportPool }: Pick<Context, "reportPool">): Promise<PoolClient> {
  const client = await reportPool.connect();
  client.on("error", heardElsewhere);
  try {
    await client.query(reportSettings);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return client;
}

/** What COPY writes of a statement, as it writes it. @param format PostgreSQL's words for the form of the lines */
export function copyOf(client: PoolClient, statement: string, format: string): ReturnType<typeof copyTo> {
  const lines = client.query(copyTo(`copy (${statement}) to stdout (${format})`, { highWaterMark: HIGH_WATER_MARK }));
  // It may fail once more when nobody reads it any longer, because its connection is thrown away.
  lines.on("error", heardElsewhere);
  return lines;
}

/**
 * Gives a report's connection back, once, when its file was read to the end, failed, or was left: at any moment, before
 * its first byte too. A connection that ends breaks the file off.
 */
export function giveBackAfter(context: Pick<Context, "pool" | "log">, file: Readable, client: PoolClient): void {
  const breakOff = () => file.destroy(new Error("The connection of a report was lost."));
  client.once("end", breakOff);
  finished(file, (error) => {
    client.removeListener("end", breakOff);
    if (error) file.destroy();
    giveBack(context, client, !error);
  });
}

/**
 * Gives a report's connection back. One that did not come to its end is still at work: the statement is cancelled, since
 * PostgreSQL itself would notice a lost reader only when it next writes, and the connection is thrown away.
 */
function giveBack({ pool, log }: Pick<Context, "pool" | "log">, client: PoolClient, isDone: boolean): void {
  if (isDone) {
    client.removeListener("error", heardElsewhere);
    return client.release();
  }
  const { processID, connection } = client as PoolClient & { processID?: number; connection?: { stream?: Duplex } };
  void pool
    .query("select pg_cancel_backend($1)", [processID ?? 0])
    .catch((error: unknown) => log.warn({ err: error }, "a report that nobody reads could not be cancelled"))
    .finally(() => {
      client.release(true);
      // A copy that is left is not read any more: its connection would wait for ever for what the database still sends.
      connection?.stream?.destroy();
    });
}
