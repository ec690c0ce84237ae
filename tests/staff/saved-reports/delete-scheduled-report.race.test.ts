import { expect, test } from "vitest";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { ReportRun } from "#api/staff/saved-reports/saved-report.entity.ts";
import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import { writeDueReport } from "#api/staff/saved-reports/write-due-report.ts";
import { MONDAY, openSavedReports, WEDNESDAY } from "#tests/factories/saved-report.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const reports = openSavedReports(app);

test("leaves no file and no error when a scheduled report is deleted while it is being written", async () => {
  const admin = await createAdmin(app);
  reports.setTime(WEDNESDAY);
  const { id } = (await reports.save(await signInAs(app, admin))).data.saveReport;
  reports.setTime(MONDAY);
  await runSweep(app.services, startDueReports);
  const [run] = await app.context().em.find(ReportRun, {});
  const { pool } = app.services;
  const deleting = await pool.connect();
  try {
    await deleting.query("begin");
    await deleting.query("select id from saved_reports where id = $1 for update", [id]);
    const written = writeDueReport(app.context(), { runId: run?.id ?? "" });
    const waiting = "select from pg_locks where not granted";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await deleting.query("delete from saved_reports where id = $1", [id]);
    await deleting.query("commit");
    await written;
  } finally {
    deleting.release();
  }
  expect(await listEmailsTo(app, admin.email)).toEqual([]);
  expect(await listStoredKeys(app.services.files, "reports")).toEqual([]);
  await app.services.jobs.drain();
});
