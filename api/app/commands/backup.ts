import { join, resolve } from "node:path";
import type { Client } from "pg";
import { formatCount, formatFileSize } from "#schema/numbers.ts";
import { readConfig } from "#api/config.ts";
import { deleteInterruptedBackups, deleteOldBackups, getBackupName } from "#api/app/backup/dated-backups.ts";
import type { Manifest } from "#api/app/backup/manifest.ts";
import { writeBackup } from "#api/app/backup/write-backup.ts";
import { readMachineClock } from "#api/platform/clock.ts";
import { describeError } from "#api/platform/errors.ts";
import { openFiles } from "#api/platform/files/open-files.ts";
import { withDatabase } from "./open-command.ts";
import { printProgress, printResult } from "./print.ts";
import { toDatabase, withClient } from "#api/app/commands/connect.ts";

interface BackupOptions {
  /** Folder that contains the backups. */
  readonly to: string;
  /** Number of backups to keep. */
  readonly keep: number;
  readonly json?: boolean;
}

/**
 * Runs `server.js backup`: writes a backup to a folder named after the current time, records it for the metric of its age,
 * and deletes the oldest ones.
 */
export async function runBackup({ to, keep, json = false }: BackupOptions): Promise<void> {
  const config = readConfig();
  const folder = join(resolve(to), getBackupName(new Date(readMachineClock())));
  const started = performance.now();
  const manifest = await withDatabase(config, async (given) => {
    const address = toDatabase(config, given);
    try {
      // First, because they may be what fills the disk.
      deleteInterruptedBackups(resolve(to));
      const written = await writeBackup({ address, files: openFiles(config), config }, folder, printProgress);
      await withClient(address, async (client) => {
        await record(client, "last_backup", { at: written.createdAt });
        await client.query("delete from settings where name = 'failed_backup'");
      });
      return written;
    } catch (error) {
      const reason = describeError(error);
      // The database may be what failed.
      await withClient(address, (client) => record(client, "failed_backup", { reason })).catch(() => {});
      throw error;
    }
  });
  const deleted = deleteOldBackups(resolve(to), keep, folder);
  const summary = {
    folder,
    deleted,
    ...summarize(manifest),
    seconds: Math.round((performance.now() - started) / 100) / 10,
  };
  printResult(
    summary,
    json,
    () => `Backup of ${summary.createdAt} in ${folder}: ${formatFigures(summary)}, ${formatFileSize(summary.bytes)}, ${summary.seconds} s.
${deleted.map((old) => `Deleted the older backup ${old}.\n`).join("")}The backup contains no keys. Store the keys separately; it needs ${summary.keys.encryption.join(", ")}.
`,
  );
}

/** Records the result for `doctor`, the Status page and the metrics. */
async function record(client: Client, name: "last_backup" | "failed_backup", value: object): Promise<void> {
  await client.query(
    `insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
}

/** Formats what a backup contains, such as `1,204 rows in 98 tables and 1 file`. */
export function formatFigures({ rows, tables, files }: Readonly<Record<"rows" | "tables" | "files", number>>): string {
  return `${formatCount(rows, "row")} in ${formatCount(tables, "table")} and ${formatCount(files, "file")}`;
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
