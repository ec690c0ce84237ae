import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { BulkRow } from "#api/staff/bulk/bulk-run.entity.ts";
import { processBulkRun } from "#api/staff/bulk/process-bulk-run.ts";
import { findMatchingLicences } from "#api/staff/bulk/find-matching-licences.ts";
import { CLAIM_DURATION_MS, claimRun, releaseRun, type RunClaim } from "#api/staff/bulk/claim-run.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { checkFile, loadRun, upload, buildUsersCsv } from "#tests/factories/bulk.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startProgram } from "#tests/support/programs.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

vi.mock("#api/access/sessions/password.ts", { spy: true });

const ROWS = 2_000;
const app = await startTestApp();
const { dataDir } = app.services.config;
const token = await signInAs(app, await createAdmin(app));

const count = (sql: string, values: unknown[]) =>
  app.services.pool.query<{ count: number }>(sql, values).then(({ rows }) => rows[0]?.count ?? 0);

/** Kills a worker process once it has processed `rows` rows, and returns the number of processed rows. */
async function killAfter(runId: string, rows: number, column: "planned" | "done"): Promise<number> {
  const given = JSON.stringify({ database: app.database, dataDir, runId, offsetMs: app.clock.offsetMs });
  const child = await startProgram("pause-work", [given]);
  let seen = 0;
  while (seen < rows && child.exitCode === null) {
    await sleep(5);
    seen = await count(`select ${column} as count from bulk_runs where id = $1`, [runId]);
  }
  child.kill("SIGKILL");
  await once(child, "exit");
  // The claim of a killed worker expires after a few seconds.
  app.clock.setOffset(app.clock.offsetMs + CLAIM_DURATION_MS + 1);
  return seen;
}

const start = (id: string) => app.call("startBulkRun { id }", { id }, token);

/** Finishes the run in this process. */
const finish = (runId: string) => processBulkRun(app.context(), { runId });

test("processes every row exactly once when a check and an import are killed halfway", async () => {
  const { json: id } = await upload(app, token, "kind=import-users", buildUsersCsv(ROWS, "killed"));
  expect(await killAfter(id, ROWS / 2, "planned")).toBeLessThan(ROWS);
  await finish(id);
  expect(await loadRun(app, id)).toMatchObject({ state: "ready", planned: ROWS, faulty: 0 });
  expect(await app.context().em.count(BulkRow, { runId: id })).toBe(ROWS);

  await start(id);
  expect(await killAfter(id, ROWS / 2, "done")).toBeLessThan(ROWS);
  await finish(id);
  expect(await loadRun(app, id)).toMatchObject({ state: "done", planned: ROWS, done: ROWS, failed: 0 });
  const em = app.context().em;
  expect(await em.count(User, { email: { $like: "killed-%" } })).toBe(ROWS);
  expect(await em.count(BulkRow, { runId: id, state: "done", details: null })).toBe(ROWS);
  expect(await em.count(AuditEntry, { action: "create-user" })).toBe(ROWS);
  const joined = "bulk_rows r join users u on u.id = r.user_id and u.sign_in_email = r.label";
  expect(await count(`select count(*)::int as count from ${joined} where r.run_id = $1`, [id])).toBe(ROWS);
});

test("processes every row once, and rejects the second worker while the first is active", async () => {
  const secondApp = await openSecondProcess(app);
  const { json: id } = await upload(app, token, "kind=import-users", buildUsersCsv(600, "raced"));
  const both = () =>
    Promise.allSettled(
      [app.services, secondApp, app.services, secondApp].map((services) =>
        processBulkRun(createContext(services), { runId: id }),
      ),
    );
  const rejected = (await both()).filter((one) => one.status === "rejected");
  for (const { reason } of rejected) expect(reason.message).toBe("another worker has claimed this bulk run");
  expect(await loadRun(app, id)).toMatchObject({ state: "ready", planned: 600 });
  await start(id);
  await both();
  expect(await loadRun(app, id)).toMatchObject({ state: "done", done: 600, failed: 0 });
  expect(await app.context().em.count(User, { email: { $like: "raced-%" } })).toBe(600);
});

test("stops changing a run after another worker has taken it over", async () => {
  const { json: id } = await upload(app, token, "kind=import-users", buildUsersCsv(600, "slow"));
  await processBulkRun(app.context(), { runId: id });
  await start(id);
  const slow = processBulkRun(app.context(), { runId: id });
  // The claim has expired, so the second worker takes the run over halfway.
  app.clock.setOffset(app.clock.offsetMs + CLAIM_DURATION_MS + 1);
  await Promise.allSettled([slow, processBulkRun(app.context(), { runId: id })]);
  await processBulkRun(app.context(), { runId: id }).catch(() => {});
  expect(await loadRun(app, id)).toMatchObject({ state: "done", done: 600, failed: 0 });
  expect(await app.context().em.count(User, { email: { $like: "slow-%" } })).toBe(600);
});

test("cancels a run after its current batch and keeps processed rows", async () => {
  const { json: id } = await upload(app, token, "kind=import-users", buildUsersCsv(ROWS, "stopped"));
  await processBulkRun(app.context(), { runId: id });
  await start(id);
  const running = processBulkRun(app.context(), { runId: id });
  await expect.poll(async () => (await loadRun(app, id)).done, { interval: 5 }).toBeGreaterThan(0);
  expect(await app.call("cancelBulkRun { state }", { id }, token)).toEqual({ state: "CANCELLED" });
  await running;
  await processBulkRun(app.context(), { runId: id });
  const run = await loadRun(app, id);
  expect(run.done).toBeLessThan(ROWS);
  expect(await app.context().em.count(User, { email: { $like: "stopped-%" } })).toBe(run.done);
  expect(await app.context().em.count(BulkRow, { runId: id, details: { $ne: null } })).toBe(0);
});

test("fails no row while password hashing is overloaded, and hashes once per slice", async () => {
  const { id } = await checkFile(app, token, "kind=import-users&inviteByMail=true", buildUsersCsv(26, "busy"));
  await start(id);
  vi.mocked(hashUnusablePassword).mockClear();
  vi.mocked(hashUnusablePassword).mockRejectedValueOnce(new AppError("UNAVAILABLE", { retryAfterSeconds: 2 }));
  await app.services.jobs.drain();
  expect(await loadRun(app, id)).toMatchObject({ state: "running", done: 0, failed: 0, workerId: null });
  await app.services.jobs.drain({ delayed: true });
  expect(await loadRun(app, id)).toMatchObject({ state: "done", done: 26, failed: 0 });
  expect(hashUnusablePassword).toHaveBeenCalledTimes(2);
});

test("resumes after the last examined licence, even if the previous slice found none", async () => {
  const one = await createLicence(app, await createUser(app));
  await copyRow(app.services.pool, "licences", {
    which: `where id = '${one.id}'`,
    times: 5_000,
    differing: "'licence_code', 'many-' || n, 'support_code', 'many-' || n",
  });
  const input = { kind: "DEACTIVATE_LICENCES", purchaseOrderNumber: "PO-NOWHERE" };
  const { id } = await app.call("openBulkRun { id }", { input }, token);
  const runSlice = async () => {
    const hold = (await claimRun(app.context(), id)) as RunClaim;
    let parts = 0;
    try {
      return await findMatchingLicences(app.context(), hold, () => parts++ > 0);
    } finally {
      await app.context().em.transactional((tx) => releaseRun(tx as never, hold));
    }
  };
  expect(await runSlice()).toBe(false);
  const { lookedUpTo } = await loadRun(app, id);
  expect(await app.context().em.count(Licence, { id: { $lte: lookedUpTo ?? "" } })).toBe(5_000);
  await expect(runSlice()).rejects.toThrow("No licence meets these conditions.");
});
