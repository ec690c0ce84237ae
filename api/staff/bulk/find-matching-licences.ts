import { bulkLimits, WHOLE_ROW } from "#schema/bulk-run.ts";
import { trialLevels } from "#schema/product-level.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, LOWEST_ID, query } from "#api/platform/database/database.ts";
import { toUserListFilter } from "#api/staff/users/list-users.ts";
import { buildUserIdsStatement } from "#api/staff/users/list-users-statement.ts";
import type { BulkOptions, BulkRun } from "./bulk-run.entity.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { UnreadableFileError } from "./inspect-file.ts";
import { type LicenceFacts, planLicenceRow, selectLicenceFacts } from "./plan-licence-change.ts";
import { type CheckedRow, finishCheck, getLastRowNumber, storeRows } from "./store-rows.ts";

/** A way to select the licences of a run without a file. */
interface Selection {
  /** Finds the rows of the next licences or users, in order of ID, after `afterId`. */
  readonly findBatch: (em: EntityManager, run: BulkRun, afterId: string, now: Date) => Promise<Batch>;
  /** Why the run is rejected if there are no rows at all. */
  readonly none: string;
  /** Why the run is rejected if there are more than 100,000 rows. */
  readonly tooMany: string;
}

interface Batch {
  readonly found: readonly Omit<CheckedRow, "rowNumber">[];
  /** ID of the last licence or user examined, whether or not it matched. */
  readonly lastId: string;
  readonly isLast: boolean;
}

/**
 * Finds the licences that meet the run's conditions, or those of its selected users, and stores the planned change of
 * each. Examines licences or users in batches of fixed size, so a batch takes the same time even if few match. Skips
 * deactivated licences.
 * @returns true if all have been examined.
 * @throws UnreadableFileError if nothing matches, or there are more than 100,000 rows.
 */
export async function findMatchingLicences(
  context: Context,
  hold: RunClaim,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const { run } = hold;
  const { findBatch, none, tooMany } = run.options.users ? licencesOfUsers : allLicences;
  const em = context.em.fork();
  let afterId = run.lookedUpTo ?? LOWEST_ID;
  let count = await getLastRowNumber(em, run.id);
  while (!isTimeUp()) {
    const { found, lastId, isLast } = await findBatch(em, run, afterId, context.clock.now());
    const rows = found.map((row): CheckedRow => ({ ...row, rowNumber: ++count }));
    if (count > bulkLimits.rows) throw new UnreadableFileError(tooMany);
    const isHeld = await executeBatch(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, isLast ? 100 : estimatePercent(lastId));
      // The next slice resumes here, and so does the last one if the process is killed before the check is complete. The
      // stored rows don't show the position because they contain only matches.
      await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, lastId]);
    });
    if (!isHeld) return true;
    if (isLast) {
      if (count === 0) throw new UnreadableFileError(none);
      await finishCheck(context, hold, []);
      return true;
    }
    afterId = lastId;
  }
  return false;
}

/** Estimates the progress from the first digits of an ID, since IDs are evenly distributed. */
const estimatePercent = (id: string) => Math.floor((100 * Number.parseInt(id.slice(0, 4), 16)) / 65_536);

/** Number of licences examined per batch, in order of ID, regardless of how many of them meet the conditions. */
const BATCH_LICENCES = 5_000;

const allLicences: Selection = {
  none: "No licence meets these conditions.",
  tooMany: "More than 100,000 licences meet these conditions. Narrow the conditions.",
  async findBatch(em, run, afterId, now) {
    const [end] = await query<{ id: string }>(
      em,
      `select id from licences where id > $1 order by id offset ${BATCH_LICENCES - 1} limit 1`,
      [afterId],
    );
    const licences = await query<LicenceFacts>(
      em,
      `${selectLicenceFacts} where l.id > $1 and l.id <= coalesce($2, l.id) and l.revoked_at is null ${conditionsSql(3)} order by l.id`,
      [afterId, end?.id ?? null, ...buildConditionValues(run.options)],
    );
    return {
      found: licences.map((licence) => planLicenceRow(run, licence, now, WHOLE_ROW)),
      lastId: (end ?? licences.at(-1))?.id ?? afterId,
      isLast: !end,
    };
  },
};

/** Number of users examined per batch, in order of ID. */
const BATCH_USERS = 500;

/** Licences of the selected users that meet the run's other conditions. A user without any gets a row with an error. */
const licencesOfUsers: Selection = {
  none: "No users are selected. They may have been deleted.",
  tooMany: "The selected users have more than 100,000 licences. Select fewer users.",
  async findBatch(em, run, afterId, now) {
    const { conditions = {}, users = {} } = run.options;
    const { text, values } = buildUserIdsStatement(toUserListFilter(users), afterId, BATCH_USERS);
    const selected = await query<{ id: string; email: string }>(em, text, values);
    const licences = await query<LicenceFacts>(
      em,
      `${selectLicenceFacts} where l.user_id = any($1::uuid[]) and l.revoked_at is null ${conditionsSql(2)}
        order by l.user_id, l.id limit ${bulkLimits.rows + 1}`,
      [selected.map(({ id }) => id), ...buildConditionValues(run.options)],
    );
    const byUser = Map.groupBy(licences, ({ userId }) => userId);
    const message =
      Object.keys(conditions).length > 0
        ? "This user has no licence that meets the conditions."
        : "This user has no licence.";
    return {
      found: selected.flatMap(({ id, email }): Batch["found"] => {
        const own = byUser.get(id);
        if (!own) return [{ label: email, says: "", userId: id, faults: [{ column: WHOLE_ROW, message }] }];
        return own.map((licence) => planLicenceRow(run, licence, now, WHOLE_ROW));
      }),
      lastId: selected.at(-1)?.id ?? afterId,
      isLast: selected.length < BATCH_USERS,
    };
  },
};

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
function buildConditionValues({ conditions = {} }: BulkOptions): readonly unknown[] {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials } = conditions;
  const levels = onlyTrials ? trialLevels : null;
  return [productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, levels].map(
    (one) => one ?? null,
  );
}
