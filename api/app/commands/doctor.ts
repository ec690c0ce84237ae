import process from "node:process";
import { examine } from "#api/app/doctor/examine.ts";
import { failed } from "#api/app/doctor/result.ts";
import { ConfigError, readConfig } from "#api/config.ts";
import { SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import type { Finding } from "#api/staff/status/status.resolver.ts";
import { withDatabase } from "./open-command.ts";
import { printResult } from "./print.ts";
import { withClient } from "#api/app/commands/connect.ts";

const WAIT_MS = 5 * SECOND;

/**
 * Builds the limits of the connection. The database cancels a statement that takes too long, so that the next check finds the
 * connection idle. A pooler in transaction mode may refuse that setting.
 */
const buildLimits = ({ directUrl }: Config["operations"]) => ({
  connectionTimeoutMillis: WAIT_MS,
  ...(directUrl === null ? { statement_timeout: WAIT_MS, query_timeout: 2 * WAIT_MS } : { query_timeout: WAIT_MS }),
});

/**
 * Runs `server.js doctor`. Exits with 1 if a check failed. Changes no data. Like a server, it generates keys in DATA_DIR that
 * neither a setting nor a file has.
 */
export async function runDoctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const findings = await examineEnvironment();
  const isHealthy = findings.every(({ state }) => state !== "failed");
  printResult({ ok: isHealthy, findings }, json, () => describe(findings, isHealthy));
  if (!isHealthy) process.exitCode = 1;
}

async function examineEnvironment(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The other checks need the settings.
    return error.faults.map((message) => ({
      check: "settings",
      ...failed(message, `Set ${/^[A-Z_]+/.exec(message)?.[0] ?? "it"} in the environment of the process.`),
    }));
  }
  return examine(config, (run) =>
    withDatabase(config, (address) => withClient(address, run, buildLimits(config.operations))),
  );
}

const marks = { ok: "ok     ", warning: "warning", failed: "FAILED " };

function describe(findings: readonly Finding[], isHealthy: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, message, fix }) => [
    `${marks[state]}  ${check.padEnd(width)}  ${message}`,
    ...(fix && state !== "ok" ? [`${" ".repeat(width + 11)}→ ${fix}`] : []),
  ]);
  const failures = findings.filter(({ state }) => state === "failed").length;
  return `${lines.join("\n")}\n\n${isHealthy ? "Everything is in order." : `${failures} of ${findings.length} checks failed.`}\n`;
}
