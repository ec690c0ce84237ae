import { expect, test } from "vitest";
import { databaseChecks } from "#api/app/doctor/database-checks.ts";
import { otherChecks } from "#api/app/doctor/other-checks.ts";
import { workChecks } from "#api/app/doctor/work-checks.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("shows an owner what doctor finds, the queues and the failed jobs", async () => {
  const owner = await signInAs(app, await createAdmin(app, { staffRoles: ["owner"] }));
  const sql = `insert into pgboss.job (name, data, source_name, source_retry_count, source_output)
     values ('dead-letters', '{"mailId": "1"}', 'deliver-mail', 2, '{"message": "the server is away"}') returning id`;
  const { rows } = await app.services.pool.query<{ id: string }>(sql);
  const { version, checkedAt, findings, queues, failedJobs } = await app.call("installationStatus", {}, owner);
  expect([version, checkedAt]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), expect.stringMatching(/^20/)]);
  expect(findings.map(({ check }: { check: string }) => check)).toEqual([
    "settings",
    ...Object.keys(databaseChecks).map((name) => `database ${name}`),
    ...Object.keys(workChecks),
    ...Object.keys(otherChecks),
  ]);
  expect(findings.filter(({ state }: { state: string }) => state !== "OK")).toEqual([
    {
      check: "jobs",
      state: "WARNING",
      message: "1 job failed every attempt.",
      fix: expect.stringContaining("jobs list"),
    },
  ]);
  expect(queues).toContainEqual({
    name: "deliver-mail",
    waiting: expect.any(Number),
    running: 0,
    failed: 1,
    oldestAt: null,
  });
  expect(failedJobs).toEqual([
    { id: rows[0]?.id, queue: "deliver-mail", failedAt: expect.any(String), attempts: 3, reason: "the server is away" },
  ]);
});
