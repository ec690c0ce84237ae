import type { Pool } from "pg";
import { createMicroBatches, type MicroBatches } from "./micro-batches.ts";

/** A prepared statement over a list of rows in jsonb (`$1`), each with its place `n`; it answers rows with that `n`. */
export interface BatchStatement {
  readonly name: string;
  readonly text: string;
}

/** A row of the list; two with one token never share a statement, which can change a device once. Reads have none. */
export interface BatchRow {
  n?: number;
  readonly token_hash?: string;
}

/** Statements of one kind under way at a time: while they wait for the disk, the next ones gather. */
const IN_FLIGHT = 2;

/** Rows of one statement: well under the time limit of a statement, even on a slow disk. */
const MOST_ROWS = 100;

const batches = new WeakMap<Pool, Map<string, MicroBatches<BatchRow, unknown>>>();

/** The batches of a statement on a pool: what is added at the same moment is asked together. */
export function batchesOf<Answer extends { readonly n: number }, Row extends BatchRow = BatchRow>(
  pool: Pool,
  statement: BatchStatement,
): MicroBatches<Row, Answer | undefined> {
  let ofPool = batches.get(pool);
  if (!ofPool) batches.set(pool, (ofPool = new Map()));
  let found = ofPool.get(statement.name);
  if (!found) {
    found = createMicroBatches<BatchRow, unknown>({
      run: (rows) => ask(pool, statement, rows),
      keyOf: (row) => row.token_hash,
      inFlight: IN_FLIGHT,
      most: MOST_ROWS,
      isItemsFault,
    });
    ofPool.set(statement.name, found);
  }
  return found as MicroBatches<Row, Answer | undefined>;
}

async function ask(pool: Pool, statement: BatchStatement, rows: readonly BatchRow[]): Promise<unknown[]> {
  const asked = JSON.stringify(rows.map((row, n) => ({ ...row, n })));
  const answered = await pool.query<{ n: number }>({ ...statement, values: [asked] });
  const results: unknown[] = Array(rows.length).fill(undefined);
  for (const answer of answered.rows) results[answer.n] = answer;
  return results;
}

/** Values that cannot be stored, and rows that others hold locked, are the matter of one row; a lost database is not. */
function isItemsFault(error: unknown): boolean {
  return /^(?:22|23|40|55P03)/.test(String((error as { code?: unknown }).code));
}
