import { bulkLimits, WHOLE_ROW } from "#schema/bulk-run.ts";
import type { Context } from "#api/platform/context.ts";
import { LOWEST_ID, query } from "#api/platform/database/database.ts";
import { buildLicenceRow } from "./check-changes.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { UnreadableFileError } from "./inspect-file.ts";
import { planLicenceChange, type LicenceFacts, selectLicenceFacts } from "./plan-licence-change.ts";
import { finishCheck, getLastRowNumber, storeRows, type CheckedRow } from "./store-rows.ts";
import { trialLevels } from "#schema/product-level.ts";
import type { BulkOptions } from "./bulk-run.entity.ts";
import { toUserListFilter } from "#api/staff/users/list-users.ts";
import { buildUserIdsStatement } from "#api/staff/users/list-users-statement.ts";

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
      buildLicenceRow(count - found.length + at + 1, licence, planLicenceChange(run, licence, now), WHOLE_ROW),
    );
    const upTo = (end ?? found.at(-1))?.id;
    const isHeld = await executeBatch(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, end ? estimatePercent(end.id) : 100);
      // The next slice resumes here, and so does the last one if the process is killed before the check is complete. The
      // stored rows don't show the position because they contain only matches.
      if (upTo) await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, upTo]);
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

type LicenceConditions = NonNullable<BulkOptions["conditions"]>;

/** Estimates the progress from the first digits of an ID, since IDs are evenly distributed. */
const estimatePercent = (id: string) => Math.floor((100 * Number.parseInt(id.slice(0, 4), 16)) / 65_536);

/**
 * Returns SQL that continues a `where` clause with the conditions on `licences l`.
 * @param first number of the first parameter of {@link buildConditionValues}
 */
function conditionsSql(first: number): string {
  const [level, category, order, from, to, levels] = Array.from({ length: 6 }, (_, index) => `$${first + index}`);
  return `
  and (${level}::int is null or l.product_level = ${level}) and (${category}::int is null or l.licence_category = ${category})
  and (${order}::text is null or l.purchase_order_number = ${order})
  and (${from}::timestamptz is null or l.expires_at >= ${from}) and (${to}::timestamptz is null or l.expires_at <= ${to})
  and (${levels}::int[] is null or l.product_level = any(${levels}))`;
}

/** Returns the parameters of {@link conditionsSql}. */
function buildConditionValues(conditions: LicenceConditions): readonly unknown[] {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials } = conditions;
  const levels = onlyTrials ? trialLevels : null;
  return [productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, levels].map(
    (one) => one ?? null,
  );
}

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
        return [{ rowNumber: ++count, label: email, says: "", userId: id, faults: [{ column: WHOLE_ROW, message }] }];
      }
      return own.map((licence) => buildLicenceRow(++count, licence, planLicenceChange(run, licence, now), WHOLE_ROW));
    });
    if (count > bulkLimits.rows)
      throw new UnreadableFileError("The selected users have more than 100,000 licences. Select fewer users.");
    const last = found.at(-1);
    const end = found.length < BATCH_USERS ? null : last;
    const isHeld = await executeBatch(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, end ? estimatePercent(end.id) : 100);
      if (last) await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, last.id]);
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
