import { once } from "node:events";
import process from "node:process";
import { parseEndMoment, parseMoment } from "#schema/rules/moment.ts";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { exportEntries } from "#api/audit/chain/export-entries.ts";
import { type ChainReport, verifyChain } from "#api/audit/chain/verify-chain.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { compareClockWithDatabase } from "#api/platform/database-clock.ts";
import { AppError } from "#api/platform/errors.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { readOptions } from "./read-options.ts";

const help = `Exports and verifies the audit log and the security events.

  audit export --from DATE --to DATE
  audit verify [--json]

  export       prints the entries of a period as JSON lines, oldest first
    --from     first day or time, such as 2026-11-01 or 2026-11-01T09:00:00Z
    --to       last day or time; a day is included as a whole. Times without an offset are UTC.
  verify       checks that no entry was changed, removed or inserted, and names the first bad one
    --json     prints the result as JSON
  --help       shows this text

\`audit verify\` exits with 1 if it finds a bad entry. Keep the last link that it prints: if a later run no longer
contains it, the end of the chain was removed.
`;

/**
 * Runs `server.js audit`.
 * @throws AppError if the arguments are invalid, or the key of the audit log can't be opened
 */
export async function runAudit(args: readonly string[], loadDevClock: LoadDevClock): Promise<void> {
  const { values: options, positionals } = readOptions(args, help, {
    allowPositionals: true,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (options.help) return void process.stdout.write(help);
  const [action, ...rest] = positionals;
  if (rest.length > 0 || (action !== "export" && action !== "verify"))
    throw new AppError("BAD_USER_INPUT", { message: `Choose export or verify.\n\n${help}` });
  if (action === "verify")
    return runWithContext("audit-verify", loadDevClock, (context) => verify(context, options.json ?? false));
  const from = options.from ? parseMoment(options.from) : null;
  const to = options.to ? parseEndMoment(options.to) : null;
  if (!from || !to) throw new AppError("BAD_USER_INPUT", { message: `--from and --to must be dates.\n\n${help}` });
  return runWithContext("audit-export", loadDevClock, (context) => writeEntries(context, from, to));
}

async function writeEntries(context: Context, from: Date, to: Date): Promise<void> {
  for await (const entry of exportEntries(context.pool, from, to))
    if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, "drain");
  reportSecurityEvent(context, { type: "export.made", detail: { kind: "audit", format: "json" } });
}

async function verify(context: Context, asJson: boolean): Promise<void> {
  const key = getAuditKey(context);
  if (key === null)
    throw new AppError("UNPROCESSABLE", {
      message: "The key of the audit log can't be opened. Start the command with the keys of the server.",
    });
  const { databaseNow } = await compareClockWithDatabase(context);
  const report = await verifyChain(context.pool, key, databaseNow);
  process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report));
  if (!report.ok) process.exitCode = 1;
}

function describeReport({ links, waiting, last, problem }: ChainReport): string {
  if (problem) {
    const noun = problem.source === "event" ? "Security event" : "Audit entry";
    const place = problem.link === null ? "without a link" : `at link ${problem.link}`;
    return `${noun} ${problem.id} ${place} ${problem.what}.\n${links} links before it are intact.\n`;
  }
  return `${links} entries are intact, and ${waiting} new ones wait for their link.\nLast link: ${last.number} ${last.hash}\n`;
}
