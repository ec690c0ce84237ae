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

const CONNECT_WAIT_MS = 5 * SECOND;

/**
 * Runs `server.js doctor`. Exits with 1 if a check failed. Changes no data. Like a server, it generates keys in DATA_DIR that no
 * setting names and no file has.
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
    withDatabase(config, (address) =>
      withClient(address, run, { connectionTimeoutMillis: CONNECT_WAIT_MS, query_timeout: CONNECT_WAIT_MS }),
    ),
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
