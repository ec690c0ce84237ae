import { ResultCode } from "#schema/result-code.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { recordChanges } from "#api/audit/change-log/record-change.ts";
import { endLeasesOfLicences } from "#api/licensing/leases/release-lease.ts";
import { emailDeactivation } from "#api/licensing/licences/deactivate-licence.ts";
import { allowTrialReminders } from "#api/licensing/licences/extend-trial.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordRevocations } from "#api/licensing/licences/revoke-licences.ts";
import type { BulkRun } from "./bulk-run.entity.ts";
import type { ApplyRows, AppliedRow, PlannedRow } from "./process-rows.ts";
import { type LicenceFacts, findLicenceRefusal, selectLicenceFacts } from "./plan-licence-change.ts";
import { formatFileDate } from "./validate-values.ts";

interface Extension {
  readonly from: string;
  readonly to: string;
}

/** Extends or deactivates licences. Skips licences that have changed since the check. */
export const applyChanges: ApplyRows = async (context, em, run, rows) => {
  const licenceIds = rows.map(({ licenceId }) => licenceId);
  await query(em, "select id from licences where id = any($1) order by id for update", [licenceIds]);
  const facts = await query<LicenceFacts>(em, `${selectLicenceFacts} where l.id = any($1)`, [licenceIds]);
  const byId = new Map(facts.map((one) => [one.id, one]));
  const evaluated = rows.map((row) => ({ row, refusal: findCurrentRefusal(run, row, byId.get(row.licenceId ?? "")) }));
  const accepted = evaluated.filter(({ refusal }) => refusal === null).map(({ row }) => row);
  if (accepted.length > 0) await (run.kind === "extend-licences" ? extend : deactivate)(context, em, run, accepted);
  return evaluated.map(({ row, refusal }): AppliedRow => {
    if (refusal) return { rowNumber: row.rowNumber, state: "failed", says: refusal };
    const says =
      run.kind === "extend-licences"
        ? `Extended to ${formatFileDate(new Date((row.details as Extension).to))}.`
        : "Deactivated.";
    return { rowNumber: row.rowNumber, state: "done", says };
  });
};

function findCurrentRefusal(run: BulkRun, { details }: PlannedRow, licence: LicenceFacts | undefined): string | null {
  if (!licence) return "This licence no longer exists.";
  const refusal = findLicenceRefusal(run.kind, licence);
  if (refusal) return `Changed since the check: ${refusal}`;
  if (run.kind !== "extend-licences") return null;
  return licence.expiresMs === new Date((details as Extension).from).getTime()
    ? null
    : `Changed since the check: it now expires on ${formatFileDate(new Date(licence.expiresMs))}.`;
}

async function extend(context: Context, em: EntityManager, run: BulkRun, rows: readonly PlannedRow[]): Promise<void> {
  await query(
    em,
    `update licences l set expires_at = one.until
       from unnest($1::uuid[], $2::timestamptz[]) as one (id, until) where l.id = one.id`,
    [rows.map(({ licenceId }) => licenceId), rows.map(({ details }) => (details as Extension).to)],
  );
  await allowTrialReminders(
    context,
    em,
    rows.flatMap(({ licenceId }) => licenceId ?? []),
  );
  await recordEvents(context, em, "extend", rows);
  const extended = await em.find(
    Licence,
    { id: { $in: rows.map(({ licenceId }) => licenceId ?? "") } },
    { refresh: true },
  );
  await recordLicenceWebhooks(context, em, "licence.changed", extended);
  await recordChanges(
    context,
    em,
    run.createdByName,
    rows.map((row) => ({
      action: "update-licence",
      subject: { type: "licence", id: row.licenceId ?? "", name: row.supportCode ?? "" },
      userId: row.userId,
      bulkRunId: run.id,
      before: { expiresAt: (row.details as Extension).from },
      after: { expiresAt: (row.details as Extension).to },
    })),
  );
}

async function deactivate(
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly PlannedRow[],
): Promise<void> {
  const now = context.clock.now();
  const licenceIds = rows.flatMap(({ licenceId }) => licenceId ?? []);
  await query(em, "update licences set revoked_at = $2 where id = any($1)", [licenceIds, now]);
  await endLeasesOfLicences(em, licenceIds, now);
  await recordEvents(context, em, "revoke", rows);
  await recordChanges(
    context,
    em,
    run.createdByName,
    rows.map((row) => ({
      action: "deactivate-licence",
      subject: { type: "licence", id: row.licenceId ?? "", name: row.supportCode ?? "" },
      userId: row.userId,
      bulkRunId: run.id,
      before: { revokedAt: null },
      after: { revokedAt: now.toISOString() },
    })),
  );
  const revoked = await em.find(Licence, { id: { $in: licenceIds } }, { populate: ["user"] });
  await recordRevocations(context, em, revoked, "deactivated");
  // Licences of running subscriptions are refused.
  for (const licence of revoked) await emailDeactivation(context, em, licence, false);
}

/** Inserts the rows that `recordLicenceEvent` would insert, in one statement. */
async function recordEvents(
  context: Context,
  em: EntityManager,
  kind: "extend" | "revoke",
  rows: readonly PlannedRow[],
): Promise<void> {
  await query(
    em,
    `insert into licence_events (at, last_at, kind, result_code, licence_id, ip)
     select $2, $2, $3, ${ResultCode.VALID}, id, $4 from unnest($1::uuid[]) as id`,
    [rows.map(({ licenceId }) => licenceId), context.clock.now(), kind, context.origin.ip],
  );
}
