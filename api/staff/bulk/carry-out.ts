import { createContext } from "#api/platform/context.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { toAppError } from "#api/platform/errors.ts";
import { isAdminStill } from "#api/people/users/last-admin.ts";
import { applyChanges } from "./apply-changes.ts";
import { applyLicences } from "./apply-licences.ts";
import { usersApplier } from "./apply-users.ts";
import type { BulkRun } from "./bulk-run.entity.ts";
import { doPart, type Hold } from "./hold-run.ts";
import { stopRun } from "./start-and-cancel.ts";

/** A row that is to be carried out. */
export interface PlannedRow {
  readonly rowNumber: number;
  readonly label: string;
  readonly userId: string | null;
  readonly licenceId: string | null;
  readonly supportCode: string | null;
  // What the check of the same kind wrote there.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly details: any;
}

/** What came of it; ids where there are new ones. */
export interface AppliedRow {
  readonly rowNumber: number;
  readonly state: "done" | "failed";
  readonly says: string;
  readonly userId?: string;
  readonly licenceId?: string;
  readonly supportCode?: string;
}

/** Carries rows out in the transaction of `em`, all of them or, when it throws, none. */
export type ApplyRows = (
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly PlannedRow[],
) => Promise<AppliedRow[]>;

/** What carries out the rows of one slice. */
const appliers: Readonly<Record<BulkRun["kind"], () => ApplyRows | Promise<ApplyRows>>> = {
  "import-users": usersApplier,
  "import-licences": () => applyLicences,
  "extend-licences": () => applyChanges,
  "deactivate-licences": () => applyChanges,
};

/** Rows of one transaction: a few hundred milliseconds of work, so that nobody waits long for what it locks. */
const ROWS_AT_ONCE = 250;
/** Each mail is rendered, which takes the time of ten rows. */
const MAILED_ROWS_AT_ONCE = 25;

/**
 * Carries out what was planned until nothing is left, or until `isTimeUp`. A row's effect and its mark are one
 * transaction, so that a row is carried out once however often a process is killed. Rows that make their part fail are
 * tried one by one, and the one to blame is left out. Once whoever started it is an admin no more, it is cancelled.
 * @returns whether nothing is left.
 * @throws what says that the database is away or that too much is asked of us: no row is to blame for that.
 */
export async function carryOut(context: Context, hold: Hold, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const acting = asStarter(context, run);
  const usual = run.options.inviteByMail ? MAILED_ROWS_AT_ONCE : ROWS_AT_ONCE;
  const apply = await appliers[run.kind]();
  let alone = 0;
  while (!isTimeUp()) {
    let isLast = false;
    try {
      const isOurs = await doPart(context, hold, async (em) => {
        if (!(await isAdminStill(em, run.createdById))) {
          isLast = true;
          await stopRun(context, em, run.id);
          return;
        }
        const rows = await nextRows(em, run.id, alone > 0 ? 1 : usual);
        if (rows.length === 0) {
          isLast = true;
          await query(em, "update bulk_runs set state = 'done', finished_at = $2 where id = $1", [
            run.id,
            context.clock.now(),
          ]);
          return;
        }
        await mark(em, run.id, await apply(acting, em, run, rows));
      });
      if (!isOurs || isLast) return true;
      alone = Math.max(0, alone - 1);
    } catch (error) {
      if (toAppError(error).code === "UNAVAILABLE") throw error;
      context.log.warn({ err: error, runId: run.id, alone }, "part of a bulk run failed");
      if (alone > 0) await leaveOut(context, hold);
      else alone = usual;
    }
  }
  return false;
}

/** The work is written down as that of the admin who started it. */
function asStarter(context: Context, run: BulkRun): Context {
  return createContext(context, {
    actor: { userId: run.createdById, sessionId: null, role: "admin" },
    origin: { ip: run.ip, requestId: run.requestId },
  });
}

function nextRows(em: EntityManager, runId: string, limit: number): Promise<PlannedRow[]> {
  return query<PlannedRow>(
    em,
    `select row_number as "rowNumber", label, user_id as "userId", licence_id as "licenceId",
            support_code as "supportCode", details
       from bulk_rows where run_id = $1 and details is not null order by row_number limit $2`,
    [runId, limit],
  );
}

async function mark(em: EntityManager, runId: string, applied: readonly AppliedRow[]): Promise<void> {
  await query(
    em,
    `update bulk_rows r set state = a.state, says = a.says, details = null,
            user_id = coalesce(a."userId", r.user_id), licence_id = coalesce(a."licenceId", r.licence_id),
            support_code = coalesce(a."supportCode", r.support_code)
       from jsonb_to_recordset($2::jsonb) as a
            ("rowNumber" int, state text, says text, "userId" uuid, "licenceId" uuid, "supportCode" text)
      where r.run_id = $1 and r.row_number = a."rowNumber"`,
    [runId, JSON.stringify(applied)],
  );
  const done = applied.filter(({ state }) => state === "done").length;
  await query(em, "update bulk_runs set done = done + $2, failed = failed + $3 where id = $1", [
    runId,
    done,
    applied.length - done,
  ]);
}

async function leaveOut(context: Context, hold: Hold): Promise<void> {
  await doPart(context, hold, async (em) => {
    const [row] = await nextRows(em, hold.run.id, 1);
    if (row)
      await mark(em, hold.run.id, [
        {
          rowNumber: row.rowNumber,
          state: "failed",
          says: "Not carried out, for a fault of ours that has been logged.",
        },
      ]);
  });
}
