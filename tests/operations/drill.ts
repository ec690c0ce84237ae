import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import pg from "pg";
import { hashPassword } from "#api/access/sessions/password.ts";
import { createPopulation } from "#bench/population.ts";
import { seedEvents, seedPeople, vacuumDatabase } from "#bench/seed.ts";
import type { Outcome } from "./outcome.ts";
import { startPrimary } from "./postgres.ts";
import { createFolder, createPortal } from "./servers.ts";

/** Size of the database in gigabytes. */
const size = Number(process.env["DRILL_GB"] ?? 1);
/** Licence events of one gigabyte, next to 15,000 users with licences and devices. */
const EVENTS = 2_700_000;
const USERS_SCALE = 0.15;
const [FILES, FILE_BYTES] = [10, 10_000_000];

interface Report {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** Backs up a database of one gigabyte with files, verifies the backup, and restores it on another database and folder. */
export async function drill(bundle: string): Promise<Outcome> {
  const server = await startPrimary();
  const folder = createFolder();
  const [used, other] = [join(folder, "used"), join(folder, "other")];
  const run = async (url: string, dataDir: string, ...args: string[]) => {
    const child = spawn(process.execPath, [join(bundle, "server.js"), ...args], {
      env: { ...process.env, NODE_ENV: "development", LOG_LEVEL: "silent", DATABASE_URL: url, DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${output}`);
    return output;
  };
  const report = async (...given: Parameters<typeof run>) => JSON.parse(await run(...given)) as Report;

  await run(server.url, used, "migrate");
  await fill(server.url);
  const files = join(used, "files/software/drill");
  mkdirSync(files, { recursive: true });
  for (let n = 0; n < FILES; n++) writeFileSync(join(files, `${n}.exe`), randomBytes(FILE_BYTES));
  // The server creates the keys that a restore needs.
  const first = await createPortal(bundle, used, { DATABASE_URL: server.url });
  await first.start();
  await first.stop();
  const sizes = await server.run<{ bytes: number }>("select pg_database_size('portal')::float8 as bytes");
  const bytes = sizes[0]?.bytes ?? 0;

  const to = join(folder, "backup");
  const backup = await report(server.url, used, "backup", "--to", to, "--json");
  const verified = await report(server.url, used, "restore", "--from", to, "--verify", "--json");
  await server.run("create database restored");
  const restoredUrl = server.url.replace("/portal", "/restored");
  mkdirSync(other);
  for (const ring of ["signing", "encryption", "release"])
    cpSync(join(used, `${ring}-keys.json`), join(other, `${ring}-keys.json`));
  const startedAt = performance.now();
  const restored = await report(restoredUrl, other, "restore", "--from", to, "--json");
  const copy = await createPortal(bundle, other, { DATABASE_URL: restoredUrl });
  await copy.start();
  const servesAfter = (performance.now() - startedAt) / 1_000;
  await copy.stop();
  await run(restoredUrl, other, "restore", "--confirm");
  const doctor = JSON.parse(await run(restoredUrl, other, "doctor", "--json")) as { ok: boolean };
  await server.stop();

  const backupMegabytes = Number(execFileSync("du", ["-sm", to], { encoding: "utf8" }).split("\t")[0]);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    figures: `${(bytes / 1e9).toFixed(2)} GB, ${backup.rows} rows, ${backup.files} files; backup ${backup.seconds} s (${backupMegabytes} MB), verified in ${verified.seconds} s, restored in ${restored.seconds} s, serving after ${servesAfter.toFixed(1)} s; ${machine}`,
    faults: [
      ...(bytes < size * 0.95e9 ? [`the database has only ${bytes} bytes`] : []),
      ...(restored.rows === backup.rows && verified.rows === backup.rows ? [] : ["rows are missing"]),
      ...(restored.files === FILES ? [] : [`${restored.files} files were restored`]),
      ...(doctor.ok ? [] : ["doctor found faults in the restored product"]),
    ],
  };
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const population = createPopulation(USERS_SCALE * size);
  await seedPeople(client, population, await hashPassword("Demo-pass-1"));
  await seedEvents(client, population, Math.round(EVENTS * size));
  await vacuumDatabase(client);
  await client.end();
}
