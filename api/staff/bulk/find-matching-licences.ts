import { bulkLimits } from "#schema/bulk-run.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { buildLicenceRow } from "./check-changes.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { buildConditionValues, conditionsSql, estimatePercent, LOWEST_ID } from "./licence-conditions.ts";
import { UnreadableFileError } from "./inspect-file.ts";
import { planLicenceChange, type LicenceFacts, selectLicenceFacts } from "./plan-licence-change.ts";
import { finishCheck, getLastRowNumber, storeRows } from "./store-rows.ts";

/** Number of licences examined per batch, in order of ID, regardless of how many of them meet the conditions. */
const BATCH_LICENCES = 5_000;

/**
 * Finds the licences that meet the run's conditions and stores the planned change of each. Examines licences in batches
 * of fixed size, so a batch takes the same time even if few licences match. Skips deactivated licences.
 * @returns true if all licences have been examined.
 * @throws UnreadableFileError if no licence meets the conditions, or more than 100,000 do.
 */
export async function findMatchingLicences(
  context: Context,
  hold: RunClaim,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const { run } = hold;
  const conditions = run.options.conditions ?? {};
  const em = context.em.fork();
  let lastId = run.lookedUpTo ?? LOWEST_ID;
  let count = await getLastRowNumber(em, run.id);
  while (!isTimeUp()) {
    const [end] = await query<{ id: string }>(
      em,
      `select id from licences where id > $1 order by id offset ${BATCH_LICENCES - 1} limit 1`,
      [lastId],
    );
    const found = await query<LicenceFacts>(
      em,
      `${selectLicenceFacts} where l.id > $1 and l.id <= coalesce($2, l.id) and l.revoked_at is null ${conditionsSql(3)} order by l.id`,
      [lastId, end?.id ?? null, ...buildConditionValues(conditions)],
    );
    count += found.length;
    if (count > bulkLimits.rows)
      throw new UnreadableFileError("More than 100,000 licences meet these conditions. Narrow the conditions.");
    const now = context.clock.now();
    const rows = found.map((licence, at) =>
      buildLicenceRow(count - found.length + at + 1, licence, planLicenceChange(run, licence, now), "Row"),
    );
    const isHeld = await executeBatch(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, end ? estimatePercent(end.id) : 100);
      // The next slice resumes here. The stored rows don't show the position because they contain only matches.
      if (end) await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, end.id]);
    });
    if (!isHeld) return true;
    if (!end) {
      if (count === 0) throw new UnreadableFileError("No licence meets these conditions.");
      await finishCheck(context, hold, []);
      return true;
    }
    lastId = end.id;
  }
  return false;
}
