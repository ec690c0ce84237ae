import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseChecks } from "#api/app/doctor/database-checks.ts";
import { otherChecks } from "#api/app/doctor/other-checks.ts";
import { workChecks } from "#api/app/doctor/work-checks.ts";
import { createKeySet } from "#api/platform/keys/key-rotation.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createUser } from "#tests/factories/user.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { buildDatabaseUrl, createEmptyDatabase, openOwnerPool } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const app = await startTestApp();

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { check: string; state: string; message: string; fix?: string }[];
}

const timeout = 60_000;
const ownerUrl = buildDatabaseUrl({ ...app.database, ...app.database.owner });
const databaseUrl = buildDatabaseUrl(app.database);
const settings = { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: app.services.config.dataDir };

async function examine(env: Record<string, string> = {}): Promise<Report & { code: number | null }> {
  const { code, output } = await runCommand(["doctor", "--json"], { ...settings, ...env });
  return { code, ...(JSON.parse(output) as Report) };
}
const findFailures = ({ findings }: Report) => findings.filter(({ state }) => state === "failed");

test("doctor finds nothing wrong with a running product", { timeout }, async () => {
  const report = await examine();
  expect(findFailures(report)).toEqual([]);
  expect([report.code, report.ok]).toEqual([0, true]);
  const ofDatabase = Object.keys(databaseChecks).map((name) => `database ${name}`);
  const others = [...Object.keys(workChecks), ...Object.keys(otherChecks)];
  expect(report.findings.map(({ check }) => check)).toEqual(["settings", ...ofDatabase, ...others]);
  expect(Object.fromEntries(report.findings.map(({ check, message }) => [check, message]))).toMatchObject({
    "database size": expect.stringMatching(/^[\d.]+ MB, \d+ of \d+ connections$/),
    "database replicas": "replicated to 0 servers; DATABASE_REPLICA_URL isn't set",
    "key ages": expect.stringMatching(/^in use since: signing .*, encryption .*, release .*\d{4}$/),
    jobs: expect.stringMatching(/ waiting, 0 running, 0 failed every attempt$/),
    "payment notices": "none applied yet; 0 waiting",
    backup: "none, outside production",
  });
});

test("doctor names everything that is wrong, each with its fix", { timeout }, async () => {
  const user = await createUser(app);
  await addAuthenticator(app, user);
  const { pool } = app.services;
  const { rows: removed } = await pool.query<{ executed_at: Date }>(
    "delete from mikro_orm_migrations where name = '0083-refunds' returning executed_at",
  );
  const { rows } = await pool.query<{ name: string }>(
    "select 'licence_events_' || to_char((now() at time zone 'UTC') + interval '1 month', 'YYYY_MM') as name",
  );
  await pool.query(`drop table ${rows[0]?.name}`);
  const { rows: mails } = await pool.query<{ id: string }>(
    `insert into mails (id, "to", subject, text, html, created_at, attempts, last_error)
     values (gen_random_uuid(), 'ada@example.com', '', '', '', now() - interval '16 minutes', 3,
             'Mail command failed: 550 <sales@example.com> not owned by user') returning id`,
  );
  const dataDir = createTemporaryFolder("portal-doctor-");
  // Nothing can be stored below a file.
  writeFileSync(join(dataDir, "files"), "");
  const smtp = await startSmtpServer({ refuseSender: "550 5.7.1 sender not owned by user" });
  const report = await examine({
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
    SMTP_URL: smtp.url,
    STRIPE_SECRET_KEY: "sk_test_0",
    STRIPE_PUBLISHABLE_KEY: "pk_test_0",
    STRIPE_WEBHOOK_SECRET: "whsec_0",
    STRIPE_API_URL: "http://127.0.0.1:9",
  });
  await smtp.close();
  // Later tests use the same database.
  const executed = [removed[0]?.executed_at];
  await pool.query("insert into mikro_orm_migrations (name, executed_at) values ('0083-refunds', $1)", executed);
  await pool.query("delete from mails where id = $1", [mails[0]?.id]);
  await app.services.jobs.runSweeps();
  expect(report.code).toBe(1);
  const faults = report.findings.filter(({ state }) => state !== "ok");
  const findings = faults.map(({ check, state, message, fix }) => [check, `${state}: ${message} ${fix}`]);
  expect(Object.fromEntries(findings)).toEqual({
    "database migrations": expect.stringContaining("0083-refunds. Run: migrate"),
    "database partitions": expect.stringContaining("for the next month is missing. Start a server."),
    outbox: expect.stringMatching(/^warning: 1 email waited .*: Mail command failed: 550 \(address\)/),
    "database stored secrets": expect.stringContaining("Add them to ENCRYPTION_KEYS"),
    email: expect.stringMatching(/^failed: .*sender not owned by user.* allow the sender of BRAND_FILE/),
    files: expect.stringContaining("Make DATA_DIR writable"),
    payments: expect.stringContaining("Correct STRIPE_SECRET_KEY."),
  });
});

test("doctor names the command that fills an empty database", { timeout }, async () => {
  const report = await examine({ DATABASE_URL: buildDatabaseUrl(await createEmptyDatabase()) });
  const { findings } = report;
  for (const { fix } of findFailures(report)) expect(fix).toMatch(/[Rr]un: migrate$/);
  const message: unknown = expect.stringMatching(/^Pending: \d+ migrations, from /);
  const found = findings.find(({ check }) => check === "database migrations");
  expect(found).toMatchObject({ state: "failed", message, fix: "Run: migrate" });
});

test("doctor warns of failed jobs, late notices, a lost replica and a failed backup", { timeout }, async () => {
  const { pool } = app.services;
  await pool.query(
    `insert into pgboss.job (name, data, source_name) values ('dead-letters', '{"mailId": "1"}', 'deliver-mail')`,
  );
  await pool.query(
    `insert into payment_notices (id, type, created_at, received_at)
     values ('evt_doctor', 'invoice.paid', now(), now() - interval '11 minutes')`,
  );
  const folder = createTemporaryFolder("portal-backups-");
  writeFileSync(join(folder, "file"), "");
  // A folder can't be created below a file.
  const backUp = (to: string) => runCommand(["backup", "--to", to], settings);
  expect((await backUp(join(folder, "file"))).code).toBe(1);
  const replica = "DATABASE_REPLICA_URL";
  const late = "1 payment notice waiting, the oldest for 11 minutes.";
  const report = await examine({ [replica]: "postgres://portal@127.0.0.1:9/portal" });
  const findings = report.findings.filter(({ state }) => state !== "ok");
  expect(Object.fromEntries(findings.map(({ check, state, message, fix }) => [check, [state, message, fix]]))).toEqual({
    "database replicas": ["failed", expect.stringContaining("ECONNREFUSED"), expect.stringContaining(replica)],
    jobs: ["warning", "1 job failed every attempt.", expect.stringContaining("jobs retry --all-failed")],
    "payment notices": ["warning", late, expect.stringContaining("PaymentNoticesDelayed")],
    backup: ["failed", expect.stringMatching(/^The last backup failed: .*(ENOTDIR|EEXIST)/), expect.any(String)],
  });
  await pool.query("delete from pgboss.job where name = 'dead-letters'");
  await pool.query("delete from payment_notices where id = 'evt_doctor'");

  expect((await backUp(folder)).code).toBe(0);
  const after = await examine();
  expect(findFailures(after)).toEqual([]);
  expect(after.findings.find(({ check }) => check === "backup")?.message).toMatch(/^the last one is \d+ seconds? old$/);
});

test("doctor warns of a replica that replayed all it received, an hour ago", { timeout }, async () => {
  // A second server would take long to start, so connections with this search path look like one.
  const owner = openOwnerPool(app.database);
  await owner.query(
    `create schema standby;
     grant usage on schema standby to public;
     create function standby.pg_is_in_recovery() returns boolean language sql as 'select true';
     create function standby.pg_last_wal_receive_lsn() returns pg_lsn language sql as $$ select '0/1'::pg_lsn $$;
     create function standby.pg_last_wal_replay_lsn() returns pg_lsn language sql as $$ select '0/1'::pg_lsn $$;
     create function standby.pg_last_xact_replay_timestamp() returns timestamptz language sql
       as $$ select now() - interval '1 hour' $$`,
  );
  const replicaUrl = `${databaseUrl}?options=-csearch_path%3Dstandby%2Cpg_catalog`;
  const { findings } = await examine({ DATABASE_REPLICA_URL: replicaUrl });
  await owner.query("drop schema standby cascade");
  expect(findings.find(({ check }) => check === "database replicas")).toMatchObject({
    state: "warning",
    message: "The replica is 1 hour behind, so it isn't used.",
  });
});

test("doctor finishes the other checks after one that takes too long", { timeout }, async () => {
  const client = await openOwnerPool(app.database).connect();
  await client.query("begin");
  await client.query("lock table payment_notices in access exclusive mode");
  const failures = findFailures(await examine());
  await client.query("rollback");
  client.release();
  expect(failures).toEqual([
    expect.objectContaining({ check: "payment notices", message: expect.stringContaining("timeout") }),
  ]);
});

test("doctor fails if the role of DATABASE_URL can change the audit tables", { timeout }, async () => {
  const report = await examine({ DATABASE_URL: ownerUrl });
  const message: unknown = expect.stringContaining("it is a superuser");
  const fix: unknown = expect.stringContaining("DATABASE_OWNER_URL");
  expect(findFailures(report)).toEqual([expect.objectContaining({ check: "database audit tables", message, fix })]);
});

test("doctor doesn't blame DATABASE_URL if the server accepts no more connections", { timeout }, async () => {
  const full = { ...app.database, dbName: (await createEmptyDatabase()).dbName };
  await openOwnerPool(app.database).query(`alter database ${full.dbName} connection limit 0`);
  const message: unknown = expect.stringMatching(/^The database refused: too many connections/);
  const fix = "Correct the cause on its server, then run doctor again.";
  const report = await examine({ DATABASE_URL: buildDatabaseUrl(full) });
  expect(findFailures(report)).toEqual([expect.objectContaining({ check: "database", message, fix })]);
});

test("doctor explains an unreachable database, and lists the settings that production needs", { timeout }, async () => {
  const report = await examine({ DATABASE_URL: "postgres://portal:secret@127.0.0.1:9/portal" });
  expect(findFailures(report)).toEqual([
    expect.objectContaining({ check: "database", fix: "Correct DATABASE_URL, or start the database." }),
  ]);
  expect(JSON.stringify(report)).not.toContain("secret");
  const { code, output } = await runCommand(["doctor"], { NODE_ENV: "production", DATABASE_URL: "", BRAND_FILE: "" });
  expect(code).toBe(1);
  for (const name of ["DATABASE_URL", "PUBLIC_URL", "SMTP_URL", "SIGNING_KEYS", "BRAND_FILE"])
    expect(output).toContain(`→ Set ${name} in the environment of the process.`);
});
