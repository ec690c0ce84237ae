import { hash, randomBytes, randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { customerEventTypes, webhookEvents } from "#schema/webhooks.ts";
import { loadBackup } from "#api/app/backup/load-backup.ts";
import { readManifest } from "#api/app/backup/manifest.ts";
import { writeBackup } from "#api/app/backup/write-backup.ts";
import { leavePostRestore } from "#api/app/backup/post-restore.ts";
import { findErasedUsers } from "#api/app/commands/restore.ts";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { isWaitingSql } from "#api/messaging/emails/deliver-email.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { registrationClosed } from "#api/messaging/emails/templates/registration-closed.tsx";
import { inTransaction } from "#api/platform/database/database.ts";
import type { Files } from "#api/platform/files/files.ts";
import { openSecret } from "#api/platform/keys/sealed-secrets.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { addLicenceEvents } from "#tests/factories/licence-events.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { addAuthenticator, createAppCode, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { openWebhookCalls } from "#tests/factories/webhook.ts";
import { runCommand, runCommandOn } from "#tests/support/run-command.ts";
import { serveTestApp, startTestApp } from "#tests/support/test-app.ts";
import { createTestConfig } from "#tests/support/test-config.ts";
import { buildDatabaseUrl, createEmptyDatabase, type TestDatabase } from "#tests/support/test-database.ts";
import { toCode } from "#schema/closed-list.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const timeout = 120_000;
const app = await startTestApp();
const folder = createTemporaryFolder("portal-backup-");
const backups = join(folder, "backups");

// The data of a product in use.
await createAdmin(app);
const user = await createUser(app);
const { secret } = await addAuthenticator(app, user);
const oldToken = await signInAs(app, user);
const licence = await createLicence(app, user);
await addLicenceEvents(app, licence, 2_000);
const device = await createDevice(app, licence);
const added = await openWebhookCalls(app).add(
  {
    input: {
      url: "https://hooks.example.com/x",
      description: "",
      eventTypes: customerEventTypes.map((type) => toCode(webhookEvents, type)),
    },
  },
  await signInAs(app, await createUser(app)),
);
if (added.errors) throw new Error(JSON.stringify(added.errors));
const webhookSecret = (added.data.addWebhookEndpoint as { secret: string }).secret;
const invoice = await createTaxInvoice(app, user);
await app.services.files.put("software/build/setup.exe", Readable.from(["installer"]));
const erased = await createUser(app);
const waiting = { to: "waiting@example.com", data: { firstName: "Waiting" } };
await sendEmail(app.context(), app.context().em, { template: registrationClosed, ...waiting });
const em = app.services.orm.em.fork();
const author = { createdById: user.id, createdByName: "Ada Byron", ip: "", requestId: "backup" };
const run = em.create(BulkRun, { kind: "extend-licences", createdAt: app.clock.now(), ...author });
await em.flush();

const made = await runCommandOn(app, "backup", "--to", backups, "--json");
const backup = (JSON.parse(made.output) as { folder: string }).folder;

// The restore happens on another machine with the same keys.
const dataDir = join(folder, "other");
mkdirSync(dataDir);
for (const ring of ["signing", "encryption", "release"])
  cpSync(join(app.services.config.dataDir, `${ring}-keys.json`), join(dataDir, `${ring}-keys.json`));
const admin = new pg.Client({ ...app.database.owner, database: "postgres" });
await admin.connect();
afterAll(() => admin.end());
const database = await createRoles();
const ownerUrl = buildDatabaseUrl({ ...database, ...database.owner });
const other = { DATABASE_URL: buildDatabaseUrl(database), DATABASE_OWNER_URL: ownerUrl, DATA_DIR: dataDir };
// An interrupted verification leaves its scratch database.
const scratch = `verify_${hash("md5", database.dbName).slice(0, 8)}_`;
await admin.query(`create database ${scratch}left owner ${database.owner?.user}`);
// The newest backup of the folder.
const verified = await runCommand(["restore", "--from", backups, "--verify", "--json"], other);
const erasures = join(folder, "erasures.json");
// Certificates as erase-user --json prints them. One user registered after the backup.
const certificates = [randomUUID(), erased.id].map((userId) => JSON.stringify({ userId, emailHash: "0" }, null, 2));
writeFileSync(erasures, `${certificates.join("\n")}\n`);
const restored = await runCommand(["restore", "--from", backup, "--erasures", erasures, "--json"], other);
const copy = await serveTestApp(database, createTestConfig(dataDir));

/** Creates a database of two roles with the rights of docs/deploy.md. Neither is a superuser. */
async function createRoles(): Promise<TestDatabase> {
  const role = `portal_${randomBytes(6).toString("hex")}`;
  await admin.query(
    `create role ${role} login password 'secret0'; create role ${role}_owner login createdb password 'secret0' in role ${role}`,
  );
  // Hooks run in reverse order, so the database is dropped first.
  afterAll(() => admin.query(`drop role ${role}, ${role}_owner`));
  const created = { ...(await createEmptyDatabase()), password: "secret0" };
  await admin.query(`alter database ${created.dbName} owner to ${role}_owner`);
  return { ...created, user: role, owner: { ...created, user: `${role}_owner` } };
}

describe("a restored backup", { timeout }, () => {
  test("is complete", async () => {
    for (const { code, errors } of [made, verified, restored]) expect([code, errors]).toEqual([0, ""]);
    expect(JSON.parse(verified.output)).toMatchObject({ verified: true, files: 1 });
    expect((await admin.query("select from pg_database where starts_with(datname, $1)", [scratch])).rowCount).toBe(0);
    expect(JSON.parse(restored.output)).toMatchObject({ verified: false, files: 1, erasures: 1, skippedNumbers: 1000 });
    expect(JSON.parse(restored.output).rows).toBe(JSON.parse(made.output).rows);
  });

  test("has ended every session, and signs users in with password and two-step code", async () => {
    copy.clock.setOffset(app.clock.offsetMs);
    const challenge = await sendFirstStep(copy, user);
    expect((await sendSecondStep(copy, challenge, createAppCode(copy, secret, 1))).status).toBe(200);
    expect((await copy.graphql("{ me { id } }", {}, oldToken)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });

  test("validates the licence on its device", async () => {
    copy.clock.setOffset(app.clock.offsetMs);
    const answers = await Promise.all([app, copy].map((one) => callAddinFrom(one, device, "validate", licence)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.json.data.resultCode).toBe(answers[0]?.json.data.resultCode);
  });

  test("has the stored files and licence events, and opens the secret of a webhook endpoint", async () => {
    const { rows } = await copy.services.pool.query("select id, secret as sealed from webhook_endpoints");
    expect(openSecret(copy.services.encryptionKeys, rows[0].sealed, rows[0].id)).toBe(webhookSecret);
    const content = await copy.services.files.open("software/build/setup.exe");
    expect(content && (await text(content))).toBe("installer");
    const count = "select count(*)::int as count from licence_events where licence_id = $1";
    const events = await Promise.all([app, copy].map(({ services }) => services.pool.query(count, [licence.id])));
    expect(events[1]?.rows[0].count).toBeGreaterThanOrEqual(events[0]?.rows[0].count);
  });

  test("doesn't reuse invoice numbers, and replays erasures", async () => {
    const next = await createTaxInvoice(copy, user);
    expect(Number(next.number)).toBe(Number(invoice.number) + 1_001);
    const { rows } = await copy.services.pool.query("select deleted_at from users where id = $1", [erased.id]);
    expect(rows[0].deleted_at).not.toBeNull();
    // The last admin can't be erased, but the others are.
    const { rows: admins } = await copy.services.pool.query("select id from users where member_type = 3");
    const lines = [admins[0].id, erased.id].map((userId) => JSON.stringify({ userId, emailHash: "0" }));
    writeFileSync(erasures, lines.join("\n"));
    const again = await runCommand(["restore", "--erasures", erasures, "--json"], other);
    expect([again.code, JSON.parse(again.output)]).toEqual([1, { erasures: 1 }]);
    expect(again.errors).toMatch(/^User \S+ wasn't erased again: This is the last active admin/);
  });

  test("leaves one security event of the restore", async () => {
    const { rows } = await copy.services.pool.query(
      "select detail, request_id as command from security_events where type = 'database.restored'",
    );
    expect(rows).toEqual([{ detail: { backupAt: JSON.parse(made.output).createdAt }, command: "restore" }]);
  });

  test("withholds waiting emails until the restore is confirmed", async () => {
    const pending = `select count(*)::int as count from pgboss.job j join mails m on m.id::text = j.data->>'mailId'
                      where m."to" = 'waiting@example.com'`;
    const count = async () => (await copy.services.pool.query(pending)).rows[0].count as number;
    expect(await count()).toBe(0);
    // Doctor and the alert EmailsDelayed don't call it late. The clock was ahead when it was written.
    await copy.services.pool.query(
      `update mails set created_at = created_at - interval '1 hour' where "to" = 'waiting@example.com'`,
    );
    const waiting = `select from mails where "to" = 'waiting@example.com' and ${isWaitingSql}`;
    expect((await copy.services.pool.query(waiting)).rowCount).toBe(0);
    // An email that failed every attempt isn't sent weeks later.
    const old = await copy.services.pool.query<{ id: string }>(
      `insert into mails select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'number', -1,
              'to', 'old@example.com', 'created_at', now() - interval '31 days'))).*
         from mails m where m."to" = 'waiting@example.com' returning id`,
    );
    // An attempt that is interrupted changes nothing.
    const interrupted = inTransaction(copy.context(), async (em) => {
      const left = await leavePostRestore(em);
      expect(left).toMatchObject({ bulkRuns: [run.id] });
      expect(left?.emails).not.toContain(old.rows[0]?.id);
      throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");
    const { code, output } = await runCommand(["restore", "--confirm", "--json"], other);
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ emails: expect.any(Number) })]);
    expect(await count()).toBe(1);
    expect((await copy.services.pool.query(waiting)).rowCount).toBe(1);
    expect((await copy.services.jobs.report()).queues.find(({ name }) => name === "run-bulk")?.waiting).toBe(1);
    const again = await runCommand(["restore", "--confirm"], other);
    expect([again.code, again.errors]).toEqual([1, "The database isn't in post-restore mode.\n"]);
  });
});

describe("a restore is refused", { timeout }, () => {
  const restore = (from: string, env: Record<string, string> = other) => runCommand(["restore", "--from", from], env);

  test("into a database or storage in use, or without the encryption keys", async () => {
    expect((await restore(backup)).errors).toContain("The file storage isn't empty: software/build/setup.exe.");
    const empty = mkdtempSync(join(folder, "empty-"));
    cpSync(join(dataDir, "encryption-keys.json"), join(empty, "encryption-keys.json"));
    cpSync(join(dataDir, "signing-keys.json"), join(empty, "signing-keys.json"));
    expect((await restore(backup, { ...other, DATA_DIR: empty })).errors).toContain("The database isn't empty.");
    const { code, errors } = await restore(backup, { ...other, DATA_DIR: mkdtempSync(join(folder, "keyless-")) });
    expect([code, errors]).toEqual([1, expect.stringContaining("The backup needs the encryption keys")]);
  });

  test("into a database in which someone registered while the files were copied", async () => {
    const sent: string[] = [];
    const client = {
      query: async (text: string) => {
        sent.push(text);
        return { rows: [], rowCount: text === "select from users limit 1" ? 1 : 0 };
      },
    } as unknown as pg.Client;
    const silent = { finish: async () => {}, onProgress: () => {} };
    const loading = loadBackup(client, backup, readManifest(backup), silent);
    await expect(loading).rejects.toThrow("The database isn't empty.");
    expect([sent.at(-1), sent.filter((text) => text.startsWith("truncate"))]).toEqual(["rollback", []]);
  });

  test("if the backup is damaged or from another release", async () => {
    const damaged = join(folder, "damaged");
    cpSync(backup, damaged, { recursive: true });
    writeFileSync(join(damaged, "database/users.copy.gz"), "");
    expect((await restore(damaged)).errors).toContain("The backup is damaged: database/users.copy.gz");
    const manifest = JSON.parse(readFileSync(join(backup, "manifest.json"), "utf8"));
    manifest.migrations.push("9999-future");
    writeFileSync(join(damaged, "manifest.json"), JSON.stringify(manifest));
    expect((await restore(damaged)).errors).toContain("(migration 9999-future). Verify and restore it with that");
    expect((await restore(folder)).errors).toContain("contains no backup.");
  });
});

test("doctor says what the role lacks to verify backups", { timeout }, async () => {
  const check = async () => (await runCommand(["doctor"], other)).output;
  expect(await check()).toContain("can read and add audit and journal entries, and change none");
  expect(await check()).toContain(`may create tables, and ${database.user}_owner databases to verify backups`);
  await admin.query(`alter role ${database.user}_owner nocreatedb`);
  const verify = await runCommand(["restore", "--from", backups, "--verify"], other);
  expect([verify.code, verify.errors]).toEqual([1, expect.stringContaining("alter role … createdb")]);
  expect(await check()).toContain(`Run as a superuser: alter role "${database.user}_owner" createdb`);
  const { DATABASE_OWNER_URL: _, ...alone } = other;
  const { output } = await runCommand(["doctor"], alone);
  expect(output).toContain(`Run as a superuser: alter role "${database.user}" createdb`);
});

test("a backup gets a dated folder, and only the newest are kept", { timeout }, async () => {
  expect(basename(backup)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
  const other = join(folder, "kept");
  cpSync(backup, join(other, "2020-01-01T00-00-00Z"), { recursive: true });
  mkdirSync(join(other, "notes"));
  const first = await runCommandOn(app, "backup", "--to", other, "--keep", "2", "--json");
  expect(JSON.parse(first.output)).toMatchObject({ deleted: [] });
  // Written while the machine's clock was ahead.
  cpSync(backup, join(other, "2099-01-01T00-00-00Z"), { recursive: true });
  const second = await runCommandOn(app, "backup", "--to", other, "--keep", "1");
  expect(second.output).toContain("Deleted the older backup");
  expect(readdirSync(other).toSorted()).toEqual([expect.stringMatching(/^20[2-8]\d-.*Z$/), "notes"]);
  const text = await createStateMetrics(app.services).metrics();
  expect(text).toMatch(/^portal_backup_age_seconds \d/m);
  // Nothing waits.
  expect(text).toContain('portal_queue_lag_seconds{queue="write-report"} 0');
});

test("a backup keeps no connection open while it copies files", { timeout }, async () => {
  const owner = database.owner?.user;
  const countConnections = async () =>
    (await admin.query("select from pg_stat_activity where usename = $1", [owner])).rowCount;
  const files = {
    async *list() {
      await expect.poll(countConnections).toBe(0);
      yield* [];
    },
  } as unknown as Files;
  const source = { address: { url: ownerUrl }, files, config: createTestConfig(dataDir) };
  const { tables } = await writeBackup(source, join(folder, "idle"), () => {});
  expect(tables.map(({ table }) => table)).toContain("users");
});

test("a backup that fails leaves nothing behind", { timeout }, async () => {
  expect((await runCommandOn(app, "backup", "--to", join(backup, "manifest.json", "x"))).code).toBe(1);
  expect(existsSync(join(backup, "manifest.json", "x"))).toBe(false);
});

test("finds erased users in certificates and in an export of the audit log", () => {
  const one = "8c1de1a8-0a5b-4b8c-9f0e-2a7f7f1d4c55";
  const two = "5b0c4c0e-6d5c-4a39-9d52-0f6f0c1f9a11";
  expect(findErasedUsers(JSON.stringify([{ userId: one, emailHash: "a" }, { userId: two }]))).toEqual([one]);
  const toLine = (action: string, userId: string) => JSON.stringify({ action, userId });
  const lines = [toLine("erase-user", two), toLine("update-user", one)];
  expect(findErasedUsers(lines.join("\n"))).toEqual([two]);
  const certificates = [one, two].map((userId) => JSON.stringify({ userId, emailHash: "a", erased: [{}] }, null, 2));
  expect([findErasedUsers(certificates.join("\n")), findErasedUsers("")]).toEqual([[one, two], []]);
  expect(() => findErasedUsers(`${lines[0]}\nCertificate of erasure ${one}`)).toThrow("must contain only certificates");
});
