import { resolve } from "node:path";
import process from "node:process";
import { readConfig } from "#api/config.ts";
import type { Manifest } from "#api/app/backup/manifest.ts";
import { openFiles } from "#api/app/backup/stored-files.ts";
import { writeBackup } from "#api/app/backup/write-backup.ts";
import { connectClient, toDatabase } from "./connect.ts";
import { withDatabase } from "./open-command.ts";

/**
 * Runs `server.js backup`.
 * @throws AppError CONFLICT if the folder isn't empty
 */
export async function runBackup({ to, json = false }: { readonly to: string; readonly json?: boolean }): Promise<void> {
  const config = readConfig();
  const folder = resolve(to);
  const started = performance.now();
  const manifest = await withDatabase(config, async (address) => {
    const client = await connectClient(toDatabase(config, address));
    try {
      return await writeBackup({ client, files: openFiles(config), config }, folder, printProgress);
    } finally {
      await client.end();
    }
  });
  const summary = { folder, ...summarize(manifest), seconds: Math.round((performance.now() - started) / 100) / 10 };
  process.stdout.write(
    json
      ? `${JSON.stringify(summary, null, 2)}\n`
      : `Backup of ${summary.createdAt} in ${folder}: ${summary.rows} rows in ${summary.tables} tables and ${summary.files} files, ${summary.bytes} bytes, ${summary.seconds} s.
The backup contains no keys. Store the keys separately; it needs ${summary.keys.encryption.join(", ")}.
`,
  );
}

/** Returns the figures of a backup that commands report. */
export function summarize({ createdAt, tables, files, keys }: Manifest) {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    createdAt,
    tables: tables.length,
    rows: sum(tables.map(({ rows }) => rows)),
    files: files.length,
    bytes: sum([...tables, ...files].map(({ sizeBytes }) => sizeBytes)),
    keys,
  };
}

/** Prints progress to standard error. Standard output contains only the result. */
export function printProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
