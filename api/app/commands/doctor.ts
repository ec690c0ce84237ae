import process from "node:process";
import { ConfigError, readConfig } from "#api/config.ts";
import type { Config } from "#api/platform/config.ts";
import { databaseChecks, type Finding, otherChecks } from "./doctor-checks.ts";
import { connectClient } from "./connect.ts";
import { withDatabase } from "./open-command.ts";

const CONNECT_WAIT_MS = 5_000;

/** Runs `server.js doctor`. Exits with 1 if a check failed. Changes nothing. */
export async function runDoctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const findings = await examine();
  const isHealthy = findings.every(({ state }) => state !== "failed");
  process.stdout.write(
    json ? `${JSON.stringify({ ok: isHealthy, findings }, null, 2)}\n` : describe(findings, isHealthy),
  );
  if (!isHealthy) process.exitCode = 1;
}

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The other checks need the settings.
    return error.faults.map((message) => ({
      check: "settings",
      state: "failed",
      message,
      fix: `Set ${/^[A-Z_]+/.exec(message)?.[0] ?? "it"} in the environment of the process.`,
    }));
  }
  const mode = config.production ? "production" : "development";
  const findings: Finding[] = [{ check: "settings", state: "ok", message: `valid for ${mode}` }];
  findings.push(...(await examineDatabase(config)));
  for (const [check, run] of Object.entries(otherChecks)) findings.push(await runCheck(check, () => run(config)));
  return findings;
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (address) => {
      const client = await connectClient(address, {
        connectionTimeoutMillis: CONNECT_WAIT_MS,
        query_timeout: CONNECT_WAIT_MS,
      });
      try {
        const findings: Finding[] = [];
        for (const [check, run] of Object.entries(databaseChecks))
          findings.push(await runCheck(`database ${check}`, () => run(client, config, address)));
        return findings;
      } finally {
        await client.end();
      }
    });
  } catch (error) {
    return [
      {
        check: "database",
        state: "failed",
        message: `The database can't be reached: ${describeError(error)}`,
        fix: "Correct DATABASE_URL, or start the database.",
      },
    ];
  }
}

async function runCheck(check: string, run: () => Promise<Omit<Finding, "check">>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    return { check, state: "failed", message: describeError(error), fix: "Correct the cause, then run doctor again." };
  }
}

/** Returns the message of an error, which for a refused connection is in its first cause. */
function describeError(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  return message || errors?.[0]?.message || String(error);
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
