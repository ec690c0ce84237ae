import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKeySet } from "#api/platform/key-rotation.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createUser } from "#tests/factories/user.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { buildDatabaseUrl } from "#tests/support/test-database.ts";

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { check: string; state: string; message: string; fix?: string }[];
}

const app = await startTestApp();
const timeout = 60_000;
const settings = {
  DATABASE_URL: buildDatabaseUrl(app.database),
  DATA_DIR: app.services.config.dataDir,
};

async function examine(env: Record<string, string> = {}): Promise<Report & { code: number | null }> {
  const { code, output } = await runCommand(["doctor", "--json"], { ...settings, ...env });
  return { code, ...(JSON.parse(output) as Report) };
}
const findFailures = ({ findings }: Report) => findings.filter(({ state }) => state === "failed");

test("finds nothing wrong with a running product", { timeout }, async () => {
  const report = await examine();
  expect(findFailures(report)).toEqual([]);
  expect([report.code, report.ok]).toEqual([0, true]);
  expect(report.findings.map(({ check }) => check)).toEqual([
    "settings",
    "database version",
    "database privileges",
    "database clock",
    "database migrations",
    "database partitions",
    "database restore",
    "database stored secrets",
    "keys",
    "email",
    "files",
    "payments",
    "disk",
  ]);
});

test("names everything that is wrong, each with its fix", { timeout }, async () => {
  const user = await createUser(app);
  await addAuthenticator(app, user);
  const { pool } = app.services;
  await pool.query("delete from mikro_orm_migrations where name = '0083-refunds'");
  const { rows } = await pool.query<{ name: string }>(
    "select 'licence_events_' || to_char((now() at time zone 'UTC') + interval '1 month', 'YYYY_MM') as name",
  );
  await pool.query(`drop table ${rows[0]?.name}`);
  const dataDir = mkdtempSync(join(tmpdir(), "portal-doctor-"));
  // Nothing can be stored below a file.
  writeFileSync(join(dataDir, "files"), "");
  const report = await examine({
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
    SMTP_URL: "smtp://127.0.0.1:9",
    STRIPE_SECRET_KEY: "sk_test_0",
    STRIPE_PUBLISHABLE_KEY: "pk_test_0",
    STRIPE_WEBHOOK_SECRET: "whsec_0",
    STRIPE_API_URL: "http://127.0.0.1:9",
  });
  rmSync(dataDir, { recursive: true });
  expect(report.code).toBe(1);
  const failures = Object.fromEntries(
    findFailures(report).map(({ check, message, fix }) => [check, `${message} ${fix}`]),
  );
  expect(failures).toEqual({
    "database migrations": expect.stringContaining("0083-refunds. Run: migrate"),
    "database partitions": expect.stringContaining("for the next month is missing. Start a server."),
    "database stored secrets": expect.stringContaining("Add them to ENCRYPTION_KEYS"),
    email: expect.stringContaining("Correct SMTP_URL."),
    files: expect.stringContaining("Make DATA_DIR writable"),
    payments: expect.stringContaining("Correct STRIPE_SECRET_KEY."),
  });
});

test("explains an unreachable database, and checks the rest", { timeout }, async () => {
  const report = await examine({ DATABASE_URL: "postgres://portal:secret@127.0.0.1:9/portal" });
  expect(findFailures(report)).toEqual([
    expect.objectContaining({ check: "database", fix: "Correct DATABASE_URL, or start the database." }),
  ]);
  expect(JSON.stringify(report)).not.toContain("secret");
});

test("lists the settings that production needs", { timeout }, async () => {
  const { code, output } = await runCommand(["doctor"], { NODE_ENV: "production", DATABASE_URL: "", BRAND_FILE: "" });
  expect(code).toBe(1);
  for (const name of ["DATABASE_URL", "PUBLIC_URL", "SMTP_URL", "SIGNING_KEYS", "BRAND_FILE"])
    expect(output).toContain(`→ Set ${name} in the environment of the process.`);
});
