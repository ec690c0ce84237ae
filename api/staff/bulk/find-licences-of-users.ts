import { bulkLimits } from "#schema/bulk-run.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { toUserListFilter } from "#api/staff/users/list-users.ts";
import { buildUserIdsStatement } from "#api/staff/users/list-users-statement.ts";
import { buildLicenceRow } from "./check-changes.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { buildConditionValues, conditionsSql, estimatePercent, LOWEST_ID } from "./licence-conditions.ts";
import { UnreadableFileError } from "./inspect-file.ts";
import { planLicenceChange, type LicenceFacts, selectLicenceFacts } from "./plan-licence-change.ts";
import { type CheckedRow, finishCheck, getLastRowNumber, storeRows } from "./store-rows.ts";

/** Number of users examined per batch, in order of ID. */
const BATCH_USERS = 500;

/**
 * Finds the licences of the selected users that meet the run's other conditions, and stores the planned change of each.
 * A selected user without such a licence gets a row with an error. Skips deactivated licences.
 * @returns true if all users have been examined.
 * @throws UnreadableFileError if the selection contains no user, or more than 100,000 rows.
 */
export async function findLicencesOfUsers(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const { conditions = {}, users = {} } = run.options;
  const em = context.em.fork();
  const wanted = toUserListFilter(users);
  let lastId = run.lookedUpTo ?? LOWEST_ID;
  let count = await getLastRowNumber(em, run.id);
  while (!isTimeUp()) {
    const { text, values } = buildUserIdsStatement(wanted, lastId, BATCH_USERS);
    const found = await query<{ id: string; email: string }>(em, text, values);
    const licences = await query<LicenceFacts>(
      em,
      `${selectLicenceFacts} where l.user_id = any($1::uuid[]) and l.revoked_at is null ${conditionsSql(2)}
        order by l.user_id, l.id`,
      [found.map(({ id }) => id), ...buildConditionValues(conditions)],
    );
    const now = context.clock.now();
    const rows = found.flatMap(({ id, email }): CheckedRow[] => {
      const own = licences.filter(({ userId }) => userId === id);
      if (own.length === 0) {
        const message = Object.keys(conditions).length > 0 ? NO_MATCHING_LICENCE : "This user has no licence.";
        return [{ rowNumber: ++count, label: email, says: "", userId: id, faults: [{ column: "Row", message }] }];
      }
      return own.map((licence) => buildLicenceRow(++count, licence, planLicenceChange(run, licence, now), "Row"));
    });
    if (count > bulkLimits.rows)
      throw new UnreadableFileError("The selected users have more than 100,000 licences. Select fewer users.");
    const end = found.length < BATCH_USERS ? null : found.at(-1);
    const isHeld = await executeBatch(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, end ? estimatePercent(end.id) : 100);
      if (end) await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, end.id]);
    });
    if (!isHeld) return true;
    if (!end) {
      if (count === 0) throw new UnreadableFileError("No users are selected. They may have been deleted.");
      await finishCheck(context, hold, []);
      return true;
    }
    lastId = end.id;
  }
  return false;
}

const NO_MATCHING_LICENCE = "This user has no licence that meets the conditions.";
