import type { Pool } from "pg";
import { batchDuration, batchRows } from "#api/platform/observe/metrics.ts";

interface MicroBatchOptions<Item, Result> {
  /** Processes a whole batch atomically and returns the results in the same order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * Returns the key of an item; undefined if it changes nothing. Items with the same key never run at the same time,
   * because one statement can't change a row twice or see its own changes.
   */
  readonly getKey: (item: Item) => string | undefined;
  /** Maximum number of batches that run at the same time. Further items wait for the next batch. */
  readonly maxRunning: number;
  /** Maximum number of items in a batch. */
  readonly maxItems: number;
  /** Returns whether an error was caused by one of the items. In that case each item is retried alone. */
  readonly isCausedByItem: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines items that arrive at the same time into batches, to save round trips. A single item waits no longer than the
 * current turn of the event loop.
 * @returns a function that adds an item to the next batch and returns its result
 */
export function createMicroBatches<Item, Result>(
  options: MicroBatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, getKey, maxRunning, maxItems, isCausedByItem } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isPlanned = false;
  const runningKeys = new Set<string>();

  function plan(): void {
    if (isPlanned || waiting.length === 0 || running >= maxRunning) return;
    isPlanned = true;
    // Waits until the requests of this turn have been read, so that they share the batch.
    setImmediate(() => {
      isPlanned = false;
      while (running < maxRunning) {
        const batch = takeBatch();
        if (batch.length === 0) return;
        void send(batch);
      }
    });
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = getKey(one.item);
      if (batch.length >= maxItems || (key !== undefined && runningKeys.has(key))) later.push(one);
      else {
        if (key !== undefined) runningKeys.add(key);
        batch.push(one);
      }
    }
    waiting = later;
    return batch;
  }

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    running++;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || !isCausedByItem(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await runAlone(one);
    } finally {
      running--;
      for (const { item } of batch) {
        const key = getKey(item);
        if (key !== undefined) runningKeys.delete(key);
      }
      plan();
    }
  }

  async function runAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      resolve((await run([item]))[0] as Result);
    } catch (error) {
      reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}

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

const batches = new WeakMap<Pool, Map<string, (row: BatchRow) => Promise<unknown>>>();

/**
 * Runs a statement for a row, together with the rows that are added at the same time.
 * @returns the row that the statement returns for it; undefined if there is none
 */
export function addToBatch<Answer extends { readonly n: number }, Row extends BatchRow = BatchRow>(
  pool: Pool,
  statement: BatchStatement,
  row: Row,
): Promise<Answer | undefined> {
  let ofPool = batches.get(pool);
  if (!ofPool) batches.set(pool, (ofPool = new Map()));
  let add = ofPool.get(statement.name);
  if (!add) {
    add = createMicroBatches<BatchRow, unknown>({
      run: (rows) => runBatch(pool, statement, rows),
      getKey: ({ token_hash: token }) => token,
      maxRunning: IN_FLIGHT,
      maxItems: MAX_ROWS,
      isCausedByItem,
    });
    ofPool.set(statement.name, add);
  }
  return add(row) as Promise<Answer | undefined>;
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
