import { once } from "node:events";
import process from "node:process";
import { parseEndMoment, parseMoment } from "#schema/moment.ts";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { exportEntries } from "#api/audit/chain/export-entries.ts";
import { type ChainReport, verifyChain } from "#api/audit/chain/verify-chain.ts";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { compareClockWithDatabase } from "#api/platform/database/database-clock.ts";
import { AppError, unprocessable } from "#api/platform/errors.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printResult } from "./print.ts";

/**
 * Runs `server.js audit export`.
 * @throws AppError if the dates are invalid
 */
export async function runAuditExport(
  options: { readonly from: string; readonly to: string },
  loadDevClock: LoadDevClock,
): Promise<void> {
  const from = parseMoment(options.from);
  const to = parseEndMoment(options.to);
  if (!from || !to) throw new AppError("BAD_USER_INPUT", { message: "--from and --to must be dates." });
  if (from >= to) throw new AppError("BAD_USER_INPUT", { message: "--from must be before --to." });
  return runWithContext("audit-export", loadDevClock, (context) => writeEntries(context, from, to));
}

/**
 * Runs `server.js audit verify`.
 * @throws AppError if the key of the audit log can't be opened
 */
export async function runAuditVerify(
  options: { readonly json?: true; readonly since?: string },
  loadDevClock: LoadDevClock,
): Promise<void> {
  return runWithContext("audit-verify", loadDevClock, (context) => verify(context, options));
}

async function writeEntries(context: Context, from: Date, to: Date): Promise<void> {
  // Before the first entry leaves, because the process ends where a reader such as `head` closes the pipe.
  const event = { type: "export.made", detail: { kind: "audit", format: "json" } } as const;
  await inTransaction(context, (em) => recordSecurityEvent(context, em, event));
  for await (const entry of exportEntries(context.pool, from, to))
    if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, "drain");
}

async function verify(context: Context, { json, since }: { json?: true; since?: string }): Promise<void> {
  const key = getAuditKey(context);
  if (key === null)
    throw unprocessable("The key of the audit log can't be opened. Start the command with the keys of the server.");
  const { databaseNow } = await compareClockWithDatabase(context);
  const report = await verifyChain(context.pool, key, databaseNow, since);
  printResult(report, json, describeReport);
  if (!report.ok) process.exitCode = 1;
}

function describeReport({ links, waiting, last, problem }: ChainReport): string {
  if (problem) {
    if (problem.source === "link") return `Link ${problem.id} ${problem.what}.\n${links} links are left.\n`;
    const noun = problem.source === "event" ? "Security event" : "Audit entry";
    const place = problem.link === null ? "without a link" : `at link ${problem.link}`;
    return `${noun} ${problem.id} ${place} ${problem.what}.\n${links} links before it are intact.\n`;
  }
  return `${links} entries are intact, and ${waiting} new ones wait for their link.\nLast link: ${last.number} ${last.hash}\n`;
}
