import { finished, type Readable } from "node:stream";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";

// A connection that dies fails its statement, which is heard; unheard itself, it would end the process.
const heardElsewhere = () => {};

/** A connection for a report, to be given back by {@link giveBackAfter}. */
export async function takeClient({ reportPool }: Pick<Context, "reportPool">): Promise<PoolClient> {
  const client = await reportPool.connect();
  client.on("error", heardElsewhere);
  return client;
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
  const { processID } = client as PoolClient & { processID?: number };
  void pool
    .query("select pg_cancel_backend($1)", [processID ?? 0])
    .catch((error: unknown) => log.warn({ err: error }, "a report that nobody reads could not be cancelled"))
    .finally(() => client.release(true));
}
