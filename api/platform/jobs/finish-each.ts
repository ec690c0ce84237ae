import type { Context } from "#api/platform/context.ts";
import { isOutage } from "#api/platform/errors.ts";

/**
 * Runs `finish` for each row of a batch, such as refunds whose request was interrupted. Logs the error of a row with its ID and
 * leaves it for the next run, so that it doesn't block the others.
 * @param finish may return false for a row that isn't finished yet
 * @param concurrent number of rows that are finished at the same time
 * @returns the number of finished rows
 * @throws the error if the database or the payment provider is unavailable, because the others would fail too
 */
export async function finishEach<Row extends { readonly id: string }>(
  { log }: Pick<Context, "log">,
  rows: readonly Row[],
  finish: (row: Row) => Promise<unknown>,
  concurrent = 1,
): Promise<number> {
  const waiting = rows.values();
  let finished = 0;
  const finishRest = async (): Promise<void> => {
    for (const row of waiting) {
      try {
        if ((await finish(row)) !== false) finished++;
      } catch (error) {
        if (isOutage(error)) throw error;
        log.error({ err: error, rowId: row.id }, "could not finish a row of a batch; it will be tried again");
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, finishRest));
  return finished;
}

/**
 * Runs {@link finishEach} for a whole list, a batch at a time, so that rows that stay unfinished don't hold back the others.
 * @param readBatch returns the first rows in the order of their IDs, after `afterId` unless it is null
 * @returns the number of finished rows
 * @throws the error if the database or the payment provider is unavailable
 */
export async function finishAll<Row extends { readonly id: string }>(
  context: Pick<Context, "log">,
  readBatch: (afterId: string | null) => Promise<readonly Row[]>,
  finish: (row: Row) => Promise<unknown>,
  concurrent = 1,
): Promise<number> {
  let finished = 0;
  for (let rows = await readBatch(null); rows.length > 0; rows = await readBatch(rows.at(-1)?.id ?? null))
    finished += await finishEach(context, rows, finish, concurrent);
  return finished;
}
