import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Client } from "pg";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { isUuid, parseJson } from "#schema/text.ts";
import { readConfig } from "#api/config.ts";
import { loadBackup, requireEmpty, withScratchDatabase } from "#api/app/backup/load-backup.ts";
import { listBackups } from "#api/app/backup/dated-backups.ts";
import { getKeyIds, type Manifest, readManifest, verifyFiles } from "#api/app/backup/manifest.ts";
import { enterPostRestore, leavePostRestore, SKIPPED_NUMBERS } from "#api/app/backup/post-restore.ts";
import { storedFilePrefixes } from "#api/app/backup/write-backup.ts";
import { migrate } from "#api/app/database.ts";
import { sealedColumns } from "./count-secrets.ts";
import { migrations } from "#api/migrations/index.ts";
import type { Config } from "#api/platform/config.ts";
import type { Context } from "#api/platform/context.ts";
import { type DatabaseAddress, inTransaction } from "#api/platform/database/database.ts";
import { NOT_PERMITTED } from "#api/platform/database/separate-roles.ts";
import { openFiles } from "#api/platform/files/open-files.ts";
import { loadEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { AppError, conflict, unprocessable } from "#api/platform/errors.ts";
import { hasSecretSql, openSecret } from "#api/platform/keys/sealed-secrets.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { formatFigures, summarize } from "./backup.ts";
import { type LoadDevClock, runWithContext, withDatabase } from "./open-command.ts";
import { printProgress, printResult } from "./print.ts";
import { toDatabase, withClient } from "#api/app/commands/connect.ts";

/** Options of `server.js restore`. */
interface RestoreOptions {
  readonly from?: string;
  readonly verify?: true;
  readonly confirm?: true;
  readonly skipNumbers?: number;
  readonly erasures?: string;
  readonly json?: boolean;
}

/**
 * Runs `server.js restore`: restores a backup, verifies one in a scratch database, only repeats erasures, or ends the
 * post-restore mode.
 * @throws AppError if the options are invalid, the backup is damaged or from another release, a key is missing, or the
 * database or storage isn't empty
 */
export async function runRestore(options: RestoreOptions, loadDevClock: LoadDevClock): Promise<void> {
  const { from, verify, confirm, json = false } = options;
  if (confirm) return runWithContext("restore-confirm", loadDevClock, (context) => confirmRestore(context, json));
  const erased = options.erasures ? findErasedUsers(readFileSync(options.erasures, "utf8")) : [];
  if (!from && options.erasures)
    return runWithContext("restore-erasures", loadDevClock, async (context) => {
      const erasures = await repeatErasures(context, erased);
      printResult({ erasures }, json, () => `${formatCount(erasures, "erasure")} run again.\n`);
    });
  if (!from) throw new AppError("BAD_USER_INPUT", { message: "Name the folder of the backup with --from." });
  const skippedNumbers = options.skipNumbers ?? SKIPPED_NUMBERS;
  const config = readConfig();
  const folder = findBackup(resolve(from));
  const started = performance.now();
  const manifest = readManifest(folder);
  checkRelease(manifest);
  checkKeys(config, manifest);
  await verifyFiles(folder, manifest);
  const source = { config, folder, manifest };
  await withDatabase(config, (address) =>
    verify ? restoreIntoScratch(source, address) : restoreIntoEmpty(source, address, skippedNumbers),
  );
  let erasures = 0;
  if (!verify)
    // Opening the services records the security event.
    await runWithContext("restore", loadDevClock, async (context) => {
      erasures = await repeatErasures(context, erased);
    });
  const { keys: _, ...figures } = summarize(manifest);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const result = { ...figures, verified: verify === true, skippedNumbers, erasures, seconds };
  printResult(result, json, ({ createdAt, verified }) => {
    const size = `${formatFigures(figures)}, ${seconds} s`;
    if (verified) return `The backup of ${createdAt} is complete: ${size}. The scratch database was removed.\n`;
    return `The backup of ${createdAt} was restored: ${size}.
Every user was signed out. Invoice numbers continue ${formatNumber(skippedNumbers)} later. ${formatCount(erasures, "erasure")} run again.
Webhook deliveries and emails that were waiting are withheld. When the restored product is the only one, run: restore --confirm
`;
  });
}

interface Source {
  readonly config: Config;
  readonly folder: string;
  readonly manifest: Manifest;
}

function checkRelease(manifest: Manifest): void {
  const own = migrations.map(({ name }) => name);
  const [newer] = manifest.migrations.filter((name) => !own.includes(name));
  const [older] = own.filter((name) => !manifest.migrations.includes(name));
  if (newer)
    throw unprocessable(
      `A newer release migrated the backup's database (migration ${newer}). Verify and restore it with that release, also after going back (docs/operations.md#go-back).`,
    );
  if (older)
    throw unprocessable(
      `The backup is from an older release (migration ${older}). Restore it with that release, then upgrade.`,
    );
}

/** Refuses a restore whose stored secrets couldn't be decrypted. */
function checkKeys(config: Config, manifest: Manifest): void {
  const own = getKeyIds(config);
  const lost = manifest.keys.encryption.filter((kid) => !own.encryption.includes(kid));
  if (lost.length > 0)
    throw unprocessable(
      `The backup needs the encryption keys ${lost.join(", ")}. Set ENCRYPTION_KEYS, or copy encryption-keys.json of the old DATA_DIR to ${config.dataDir}.`,
    );
}

async function restoreIntoEmpty({ config, folder, manifest }: Source, given: DatabaseAddress, skippedNumbers: number) {
  const files = openFiles(config);
  for (const prefix of storedFilePrefixes)
    for await (const { key } of files.list(prefix))
      throw conflict(`The file storage isn't empty: ${key}. Restore into an empty one.`);
  const address = toDatabase(config, given);
  await withClient(address, async (client) => {
    const { rows } = await client.query<{ found: boolean }>("select to_regclass('users') is not null as found");
    if (rows[0]?.found) await requireEmpty(client);
  });
  await migrate(address);
  // Files first: a database without its files would serve broken downloads after an interruption.
  for (const { name } of manifest.files)
    await files.put(name.replace(/^files\//, ""), createReadStream(join(folder, name)));
  await load(address, { folder, manifest }, (tx) =>
    enterPostRestore(tx, { createdAt: manifest.createdAt, skippedNumbers }),
  );
}

/**
 * Loads a backup as the owner of the audit tables. Months of licence events that only the backup has then go to the
 * application's role.
 */
async function load(
  address: DatabaseAddress,
  { folder, manifest }: Pick<Source, "folder" | "manifest">,
  finish: (client: Client) => Promise<void>,
): Promise<void> {
  await withClient(address.owner ?? address, (client) =>
    loadBackup(client, folder, manifest, { finish, onProgress: printProgress }),
  ).catch((error: { code?: string; message: string }) => {
    if (error.code !== NOT_PERMITTED) throw error;
    throw unprocessable(
      `The backup can't be loaded: ${error.message}. Set DATABASE_OWNER_URL to the role that owns the audit tables.`,
    );
  });
  await migrate(address);
}

async function restoreIntoScratch({ config, folder, manifest }: Source, address: DatabaseAddress): Promise<void> {
  const server = toDatabase(config, address);
  await withClient(server.owner ?? server, (client) =>
    withScratchDatabase(client, async (name) => {
      const scratch = toDatabase(config, address, name);
      await migrate(scratch);
      await load(scratch, { folder, manifest }, (loaded) => checkSecrets(loaded, config));
    }),
  );
}

/** Decrypts every stored secret. */
async function checkSecrets(client: Client, config: Config): Promise<void> {
  const keys = loadEncryptionKeys(config, loadSigningKeys(config));
  for (const sealedColumn of sealedColumns) {
    const { table, column, boundTo } = sealedColumn;
    const { rows } = await client.query<{ sealed: string; owner: string }>(
      `select ${column} as sealed, ${boundTo}::text as owner from ${table} where ${hasSecretSql(sealedColumn)}`,
    );
    const broken = rows.filter(({ sealed, owner }) => openSecret(keys, sealed, owner) === null);
    if (broken.length > 0)
      throw unprocessable(`${formatCount(broken.length, "secret")} of ${table} can't be decrypted.`);
  }
}

/**
 * Erases users again, and returns how many. Leaves out those who registered after the backup. Names those who can't be erased,
 * such as the last active admin, and goes on with the others.
 */
async function repeatErasures(context: Context, userIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const userId of userIds)
    try {
      await requestErasure(context, userId, "operator");
      count++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "NOT_FOUND") continue;
      process.stderr.write(`User ${userId} wasn't erased again: ${error.message}\n`);
      process.exitCode = 1;
    }
  return count;
}

async function confirmRestore(context: Context, json: boolean): Promise<void> {
  const { jobs } = context;
  // In one transaction, so that a second attempt finds everything if the first one is interrupted.
  const released = await inTransaction(context, async (em) => {
    const found = await leavePostRestore(em);
    if (!found) throw conflict("The database isn't in post-restore mode.");
    await jobs.add(em, "deliver-mail", ...found.emails.map((mailId) => ({ mailId })));
    await jobs.add(em, "run-bulk", ...found.bulkRuns.map((runId) => ({ runId })));
    await jobs.add(em, "write-report", ...found.reportRuns.map((runId) => ({ runId })));
    await jobs.add(em, "move-subscriber", ...found.priceMoves.map((moveId) => ({ moveId })));
    return found;
  });
  const result = { webhooks: released.webhooks, emails: released.emails.length };
  printResult(result, json, ({ webhooks, emails }) => {
    const freed = `${formatCount(webhooks, "webhook")} and ${formatCount(emails, "email")}`;
    return `Released: ${freed} that were waiting. A running server sends them.\n`;
  });
}

/** Returns the folder itself if it is a backup, or the newest backup that it contains. */
function findBackup(folder: string): string {
  return existsSync(join(folder, "manifest.json")) ? folder : (listBackups(folder).at(-1) ?? folder);
}

/** A certificate of erasure, with those of merged accounts, or an audit entry. */
type Entry = Readonly<Partial<Record<"userId" | "emailHash" | "action" | "merged", unknown>>>;

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null;

/**
 * Returns the ids of the users that a text says were erased. The text has certificates of `erase-user --json`, one after
 * another or in a list, or lines of `audit export`; other entries are skipped.
 * @throws AppError UNPROCESSABLE if a part of the text is something else, because a user could stay unerased
 */
export function findErasedUsers(text: string): string[] {
  const given = text.trim();
  if (given === "") return [];
  const whole = parseJson(given);
  // A certificate has several lines, of which only the first one starts with its bracket.
  const entries = whole === null ? given.split(/^(?=[[{])/m).map(parseJson) : [whole];
  if (entries.includes(null))
    throw unprocessable(
      "The file of --erasures must contain only certificates of erase-user --json, or lines of audit export.",
    );
  const erased = entries
    .flat()
    .filter(isEntry)
    .flatMap((entry) => [entry, ...(Array.isArray(entry.merged) ? entry.merged.filter(isEntry) : [])])
    .filter(({ emailHash, action }) => emailHash !== undefined || action === "erase-user")
    .map(({ userId }) => (typeof userId === "string" ? userId.toLowerCase() : ""))
    .filter(isUuid);
  return [...new Set(erased)];
}
