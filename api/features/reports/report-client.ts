import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";

/**
 * Gives a report's connection back. One that did not come to its end is still at work: the statement is cancelled, since
 * PostgreSQL itself would notice a lost reader only when it next writes, and the connection is thrown away.
 */
export function giveBack({ pool, log }: Pick<Context, "pool" | "log">, client: PoolClient, isDone: boolean): void {
  if (isDone) return client.release();
  const { processID } = client as PoolClient & { processID?: number };
  void pool
    .query("select pg_cancel_backend($1)", [processID ?? 0])
    .catch((error: unknown) => log.warn({ err: error }, "a report that nobody reads could not be cancelled"))
    .finally(() => client.release(true));
}
