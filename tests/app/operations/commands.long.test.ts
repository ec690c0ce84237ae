import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findErasedUsers } from "#api/app/commands/restore.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { JobsReport } from "#api/platform/jobs/failed-jobs.ts";
import { createKeySet } from "#api/platform/keys/key-rotation.ts";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { addLicenceEvents } from "#tests/factories/licence-events.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { runCommand, runCommandOn } from "#tests/support/run-command.ts";
import { recordAudit, reportFailedSignIn } from "#tests/support/audit.ts";
import { startTestApp, serveTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const app = await startTestApp();
const { pool } = app.services;
const admin = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });

test("a backup that fails has deleted what interrupted ones left a day ago, which may fill the disk", async () => {
  const folder = createTemporaryFolder("backups-");
  const names = ["2020-01-01T02-00-00Z.1.part", "2020-01-02T02-00-00Z.1.part", "2020-01-03T02-00-00Z.1.part"] as const;
  const [old, recent, gone] = names;
  for (const name of [old, recent]) mkdirSync(join(folder, name));
  utimesSync(join(folder, old), 0, 0);
  // Another backup may rename its folder after the names were read.
  symlinkSync(join(folder, "nowhere"), join(folder, gone));
  const { code } = await runCommand(["backup", "--to", folder], { DATABASE_URL: "postgres://127.0.0.1:9/none" });
  expect([code, readdirSync(folder).toSorted()]).toEqual([1, [recent, gone]]);
}, 60_000);

describe("erase-user", () => {
  const em = () => app.context().em;
  const runCommand = (...args: string[]) => runCommandOn(app, "erase-user", ...args);

  test("erases the user with the given address, prints the certificate, and prints it again", async () => {
    const user = await createUser(app, { firstName: "Winifred" });
    await addLicenceEvents(app, await createLicence(app, user), 500);
    const { code, output, errors } = await runCommand("--email", `${user.email.toUpperCase()}\u200b`);
    expect([code, errors]).toEqual([0, ""]);
    const erasure = await em().findOneOrFail(Erasure, { user: user.id });
    expect(erasure).toMatchObject({ state: "done", requestedBy: "operator", requestedById: null });
    expect(output).toContain(`Certificate of erasure ${erasure.id}`);
    expect(output).toContain("Licence events: 501 anonymised");
    expect(output).not.toMatch(/Winifred|@/);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);

    const again = await runCommand("--email", user.email, "--json");
    expect([again.code, JSON.parse(again.output).id]).toEqual([0, erasure.id]);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  });

  test("continues an interrupted erasure", async () => {
    const user = await createUser(app);
    await addLicenceEvents(app, await createLicence(app, user), 500);
    const { id } = await requestErasure(app.context(), user.id, "customer");
    expect(await runErasure(app.context(), id, { rowsPerBatch: 50, maxMs: 0 })).toBe("more");
    const { code, output } = await runCommand("--email", user.email, "--json");
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ id, requestedBy: "customer" })]);
  });

  test("changes nothing in a dry run", async () => {
    const user = await createUser(app);
    const { code, output } = await runCommand("--email", user.email, "--dry-run", "--json");
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ userId: user.id, state: "active" })]);
    expect((await em().findOneOrFail(User, user.id)).deletedAt).toBeNull();
  });

  test("counts accounts that were merged into the user's, and prints their certificates", async () => {
    const [kept, between, merged] = [await createUser(app), await createUser(app), await createUser(app)];
    const token = await signInAs(app, admin);
    for (const [keptId, mergedId] of [
      [between.id, merged.id],
      [kept.id, between.id],
    ])
      await app.call("mergeAccounts { id }", { keptId, mergedId }, token);
    await createLicence(app, merged);
    const dryRun = await runCommand("--email", kept.email, "--dry-run");
    expect(dryRun.output).toContain(`User ${kept.id}, active with 2 merged accounts: 1 licence, `);
    const { code, output } = await runCommand("--email", kept.email, "--json");
    expect([code, JSON.parse(output).userId]).toEqual([0, kept.id]);
    // A restore erases all of them again, also in a backup from before the merge.
    expect(findErasedUsers(output).toSorted()).toEqual([kept.id, between.id, merged.id].toSorted());
    const text = (await runCommand("--email", kept.email)).output;
    expect(text.match(/^Certificate of erasure/gm)).toHaveLength(3);
  });

  test.each([
    ["an unknown address", "nobody@example.com", "No account has the address nobody@example.com.\n"],
    ["the last admin", admin.email, "This is the last active admin. Give another user the admin type first.\n"],
  ])("exits with an error for %s", async (_, email, errors) => {
    expect(await runCommand("--email", email)).toEqual({ code: 1, output: "", errors });
  });
});

test("audit exports a period as JSON lines, verifies, and exits with 1 for a bad row", async () => {
  const runCommand = (...args: string[]) => runCommandOn(app, "audit", ...args);
  const user = await createUser(app, { firstName: "Winifred" });
  await recordAudit(app, admin, user);
  await reportFailedSignIn(app, user);
  const today = app.clock.now().toISOString().slice(0, 10);
  const exported = await runCommand("export", "--from", today, "--to", today);
  expect([exported.code, exported.errors]).toEqual([0, ""]);
  const lines = exported.output.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const sources = entries.filter(({ userId }) => userId === user.id).map(({ source }) => source);
  expect(sources).toEqual(["audit", "audit", "audit", "event"]);
  // An export that is broken off is recorded too.
  expect(entries).toContainEqual(expect.objectContaining({ type: "export.made", requestId: "audit-export" }));
  const good = await runCommand("verify", "--json");
  expect([good.code, JSON.parse(good.output)]).toMatchObject([0, { ok: true }]);
  await openOwnerPool(app.database).query(
    `set session_replication_role = replica; update audit_entries set action = 'add-contact' where user_id = '${user.id}'; reset session_replication_role`,
  );
  const bad = await runCommand("verify");
  expect(bad.code).toBe(1);
  expect(bad.output).toMatch(/Audit entry [0-9a-f-]{36} .*was changed/);
  expect((await runCommand("--help")).output).toContain("verify [options]");
  expect((await runCommand("export", "--from", "yesterday")).code).toBe(1);
  const backwards = await runCommand("export", "--from", "2026-12-02", "--to", "2026-12-01");
  expect([backwards.code, backwards.errors]).toEqual([1, "--from must be before --to.\n"]);
});

test("a command explains an unreachable database and a missing file without a stack", async () => {
  const { dataDir } = app.services.config;
  const env = { DATABASE_URL: "postgres://portal:secret@127.0.0.1:9/portal", DATA_DIR: dataDir };
  const away = await runCommand(["jobs", "list"], env);
  expect([away.code, away.output]).toEqual([1, ""]);
  expect(away.errors).toMatch(/^A connection failed: .* or correct its setting, such as DATABASE_URL\.\n$/s);
  expect(away.errors).not.toMatch(/\n +at |secret/);
  const file = join(dataDir, "none.json");
  const errors = `ENOENT: no such file or directory, open '${file}'\n`;
  expect(await runCommandOn(app, "restore", "--erasures", file)).toEqual({ code: 1, output: "", errors });
});

describe("events of operators", async () => {
  interface Row {
    type: string;
    detail: Record<string, unknown>;
    request_id: string;
    seal: string | null;
  }

  const loadEvents = async (type: string): Promise<Row[]> =>
    (
      await app.services.pool.query<Row>(
        "select type, detail, request_id, seal from security_events where type = $1 order by at, detail->>'change'",
        [type],
      )
    ).rows;

  test("records added, promoted and removed keys of the command keys once, with the key and the command", async () => {
    expect(await loadEvents("key.changed")).toEqual([]);
    const added = await runCommandOn(app, "keys", "add", "--ring", "release", "--json");
    expect([added.code, added.errors.includes("will be recorded")]).toEqual([0, false]);
    const [current, waiting] = JSON.parse(added.output).keys.map(({ kid }: { kid: string }) => kid);
    await runCommandOn(app, "keys", "promote", "--ring", "release");
    const events = await loadEvents("key.changed");
    expect(events.map(({ detail, request_id: command }) => [detail, command])).toEqual([
      [{ ring: "release", change: "added", keyId: waiting }, "keys-add"],
      [{ ring: "release", change: "promoted", keyId: waiting }, "keys-promote"],
    ]);
    for (const { seal } of events) expect(seal).toEqual(expect.any(String));

    // A server that starts with these keys has nothing to add, and one without the old key records that it is gone.
    const { config } = app.services;
    await serveTestApp(app.database, config);
    expect(await loadEvents("key.changed")).toHaveLength(2);
    const listed = await runCommandOn(app, "keys", "public", "--ring", "release");
    const { keys } = JSON.parse(listed.output) as { keys: { kid: string }[] };
    const releaseKeys = JSON.stringify({ keys: keys.filter(({ kid }) => kid !== current) });
    await serveTestApp(app.database, { ...config, releaseKeys });
    expect((await loadEvents("key.changed")).slice(2)).toMatchObject([
      { detail: { ring: "release", change: "removed", keyId: current }, request_id: "startup" },
    ]);
  });

  test("records keys that were changed in a setting when a server starts", async () => {
    const before = (await loadEvents("key.changed")).length;
    const { config } = app.services;
    const signingKeys = JSON.stringify(createKeySet("signing"));
    const [key] = JSON.parse(signingKeys).keys as { kid: string }[];
    await serveTestApp(app.database, { ...config, signingKeys });
    const events = (await loadEvents("key.changed")).slice(before).map(({ detail }) => detail);
    expect(events).toContainEqual({ ring: "signing", change: "added", keyId: key?.kid });
    expect(events).toContainEqual({ ring: "signing", change: "promoted", keyId: key?.kid });
    expect(events.filter(({ ring, change }) => ring === "signing" && change === "removed")).toHaveLength(1);
  });

  test("records an admin that the command create-admin created", async () => {
    expect((await runCommandOn(app, "create-admin", "--email", "operator@example.com")).code).toBe(0);
    expect(await loadEvents("role.changed")).toMatchObject([
      { detail: { before: "None", after: "Admin" }, request_id: "create-admin" },
    ]);
  });
});

const addFailed = async (mailId: string) => {
  const { rows } = await pool.query<{ id: string }>(
    `insert into pgboss.job (name, data, source_name, source_retry_count, source_output)
     values ('dead-letters', $1, 'deliver-mail', 2880, '{"message": "the server is away"}') returning id`,
    [{ mailId, traceparent: "00-1" }],
  );
  return rows[0]?.id ?? "";
};

test("jobs lists what waits and what failed every attempt, and runs chosen jobs again", async () => {
  const [first, second] = [await addFailed(randomUUID()), await addFailed(randomUUID())];
  const listed = await runCommandOn(app, "jobs", "list");
  expect(listed.errors).toBe("");
  expect(listed.output).toMatch(/^deliver-mail +\d+ waiting.*, \d+ running, 2 failed$/m);
  expect(listed.output).toContain(`${first}  deliver-mail {"mailId":`);
  expect(listed.output).toContain("after 2881 attempts: the server is away");
  expect(listed.output).not.toContain("traceparent");

  expect(await runCommandOn(app, "jobs", "retry")).toMatchObject({ code: 1, output: "" });
  const unknown = await runCommandOn(app, "jobs", "retry", randomUUID());
  const nothing = "0 jobs will run again. 1 id named no failed job, perhaps because it was retried before.\n";
  expect([unknown.code, unknown.output]).toEqual([0, nothing]);
  const narrowed = await runCommandOn(app, "jobs", "list", "--queue", "deliver-mail", "--limit", "1", "--json");
  const { failed: oldest, queues: narrow } = JSON.parse(narrowed.output) as JobsReport;
  expect(oldest.map(({ id }) => id)).toEqual([first]);
  expect(narrow.map(({ name, failed: lost }) => [name, lost])).toEqual([["deliver-mail", 2]]);
  const other = await runCommandOn(app, "jobs", "retry", "--all-failed", "--queue", "run-bulk");
  expect(other.output).toBe("0 jobs will run again.\n");
  const mistyped = await runCommandOn(app, "jobs", "list", "--queue", "mails");
  expect([mistyped.code, mistyped.errors]).toEqual([1, expect.stringContaining("There is no queue mails. Queues:")]);

  const one = await runCommandOn(app, "jobs", "retry", first, "--json");
  expect(JSON.parse(one.output)).toEqual({ retried: 1, unknown: 0 });
  const again = await runCommandOn(app, "jobs", "retry", first, "--json");
  expect(JSON.parse(again.output)).toEqual({ retried: 0, unknown: 1 });
  const { failed, queues } = JSON.parse((await runCommandOn(app, "jobs", "list", "--json")).output) as JobsReport;
  expect(failed.map(({ id }) => id)).toEqual([second]);
  expect(queues.find(({ name }) => name === "deliver-mail")?.waiting).toBeGreaterThan(0);
  expect((await runCommandOn(app, "jobs", "retry", "--all-failed", "--limit", "5")).output).toBe(
    "1 job will run again.\n",
  );
  expect((await app.services.jobs.report()).failed).toEqual([]);
  // An email that no longer exists needs no delivery.
  await app.services.jobs.drain({ delayed: true });
}, 120_000);
