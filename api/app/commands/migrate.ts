import process from "node:process";
import { readConfig } from "#api/config.ts";
import { getDirectAddress, getMigrationStatus, migrate } from "#api/app/database.ts";
import type { MigrationStatus, PendingMigration } from "#api/platform/database/migrate.ts";
import { withDatabase } from "./open-command.ts";
import { printResult } from "./print.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";

/** Runs `server.js migrate`. */
export async function runMigrate(options: { readonly json?: boolean; readonly status?: boolean }): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (address) => {
    const direct = getDirectAddress(config, address);
    if (options.status) return printResult(await getMigrationStatus(direct), options.json, describeStatus);
    const applied: { name: string; ms: number }[] = [];
    await migrate(direct, {
      applied(name, ms) {
        applied.push({ name, ms: Math.round(ms) });
        if (!options.json) process.stdout.write(`Applied ${name} in ${Math.round(ms)} ms.\n`);
      },
      waiting(name, attempt) {
        process.stderr.write(`${name} waits for another transaction (attempt ${attempt}).\n`);
      },
    });
    printResult({ applied, pending: [] }, options.json, () => "The database has all migrations.\n");
  });
}

function describeStatus({ applied, pending }: MigrationStatus): string {
  const lines = [
    `Applied: ${formatCount(applied.length, "migration")}`,
    ...applied.map(({ name, at }) => `  ${name}  ${at.slice(0, 16).replace("T", " ")} UTC`),
    `Pending: ${formatCount(pending.length, "migration")}`,
    ...pending.flatMap(describePending),
    ...(pending.length > 0 ? ["Run `migrate` to apply them."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const blocked = {
  nothing: "blocks nothing",
  changes: "blocks changes of the table",
  everything: "blocks the table",
} as const;

function describePending({ name, effects }: PendingMigration): string[] {
  if (effects.length === 0) return [`  ${name}`, "    changes no existing table"];
  return [
    `  ${name}`,
    ...effects.map(({ table, change, blocks, rows, seconds }) => {
      const time = seconds > 0 ? `for about ${seconds} s (${formatNumber(rows)} rows)` : "for milliseconds";
      return `    ${table}: ${change}; ${blocked[blocks]}${blocks === "nothing" && seconds === 0 ? "" : ` ${time}`}`;
    }),
  ];
}
