import type { Pool } from "pg";
import { batchDuration, batchRows } from "#api/platform/observe/metrics.ts";
import { createMicroBatches, type MicroBatches } from "./micro-batches.ts";

/** A prepared statement that takes a list of rows as jsonb (`$1`), each with its index `n`, and returns rows with that `n`. */
export interface BatchStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * A row of the list. Rows with the same token never share a statement, because one statement can change a device only
 * once. Rows that only read have no token.
 */
export interface BatchRow {
  n?: number;
  readonly token_hash?: string;
}

/** Number of statements of one kind that run at the same time. Further rows wait and form the next batch. */
const IN_FLIGHT = 2;

/** Maximum number of rows in one statement, so that it stays well below the statement timeout even on a slow disk. */
const MAX_ROWS = 100;

const batches = new WeakMap<Pool, Map<string, MicroBatches<BatchRow, unknown>>>();

/** Returns the batches of a statement on a pool. Rows added at the same time run in one statement. */
export function getBatches<Answer extends { readonly n: number }, Row extends BatchRow = BatchRow>(
  pool: Pool,
  statement: BatchStatement,
): MicroBatches<Row, Answer | undefined> {
  let ofPool = batches.get(pool);
  if (!ofPool) batches.set(pool, (ofPool = new Map()));
  let found = ofPool.get(statement.name);
  if (!found) {
    found = createMicroBatches<BatchRow, unknown>({
      run: (rows) => runBatch(pool, statement, rows),
      getKey: (row) => row.token_hash,
      maxRunning: IN_FLIGHT,
      maxItems: MAX_ROWS,
      isCausedByItem,
    });
    ofPool.set(statement.name, found);
  }
  return found as MicroBatches<Row, Answer | undefined>;
}

async function runBatch(pool: Pool, statement: BatchStatement, rows: readonly BatchRow[]): Promise<unknown[]> {
  const list = JSON.stringify(rows.map((row, n) => ({ ...row, n })));
  batchRows.observe({ statement: statement.name }, rows.length);
  const end = batchDuration.startTimer({ statement: statement.name });
  const returned = await pool.query<{ n: number }>({ ...statement, values: [list] }).finally(end);
  const results: unknown[] = Array(rows.length).fill(undefined);
  for (const row of returned.rows) results[row.n] = row;
  return results;
}

/** Returns whether an error concerns a single row, such as an invalid value or a locked row, and not the whole database. */
function isCausedByItem(error: unknown): boolean {
  return /^(?:22|23|40|55P03)/.test(String((error as { code?: unknown }).code));
}
