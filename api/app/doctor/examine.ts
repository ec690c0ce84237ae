import type { ClientBase } from "pg";
import { version, failed, type Result } from "./result.ts";
import { SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import type { Services } from "#api/platform/context.ts";
import { TLS_FIX } from "#api/app/commands/describe-failure.ts";
import { describeError, findSqlState, isDatabaseUnavailable, isTlsFault } from "#api/platform/errors.ts";
import type { Examination, Finding } from "#api/staff/status/status.resolver.ts";
import { databaseChecks } from "./database-checks.ts";
import { otherChecks } from "./other-checks.ts";
import { workChecks } from "./work-checks.ts";

/** Time for which a process shows the same findings, because the checks take seconds and call other services. */
const KEPT_MS = 10 * SECOND;

const kept = new WeakMap<Services, { readonly at: number; readonly examination: Promise<Examination> }>();

/** Runs all checks in a process that serves. Its settings are known to be valid. */
export function examineServices(services: Services): Promise<Examination> {
  const last = kept.get(services);
  if (last && performance.now() - last.at < KEPT_MS) return last.examination;
  const examination = examine(services.config, async (run) => {
    const client = await services.pool.connect();
    try {
      return await run(client);
    } finally {
      client.release();
    }
  }).then((findings) => ({ version, checkedAt: services.clock.now(), findings }));
  kept.set(services, { at: performance.now(), examination });
  return examination;
}

/** Passes a connection to the checks of the database. */
type RunOnDatabase = (run: (client: ClientBase) => Promise<Finding[]>) => Promise<Finding[]>;

/** Runs all checks, those that don't need the database at the same time. */
export async function examine(config: Config, runOnDatabase: RunOnDatabase): Promise<Finding[]> {
  const mode = config.production ? "production" : "development";
  const [ofDatabase, ...others] = await Promise.all([
    examineDatabase(config, runOnDatabase),
    ...Object.entries(otherChecks).map(async ([check, run]) => runCheck(check, () => run(config))),
  ]);
  return [{ check: "settings", state: "ok", message: `valid for ${mode}` }, ...ofDatabase, ...others];
}

async function examineDatabase(config: Config, runOnDatabase: RunOnDatabase): Promise<Finding[]> {
  try {
    return await runOnDatabase(async (client) => {
      const findings: Finding[] = [];
      for (const [check, run] of Object.entries(databaseChecks))
        findings.push(await runCheck(`database ${check}`, () => run(client, config)));
      for (const [check, run] of Object.entries(workChecks))
        findings.push(await runCheck(check, () => run(client, config)));
      return findings;
    });
  } catch (error) {
    // A server that is full or starting answers at the right address.
    const isRefused = isDatabaseUnavailable(error) && findSqlState(error) !== null;
    const message = `The database ${isRefused ? "refused" : "can't be reached"}: ${describeError(error)}`;
    const other = `Correct the cause${isRefused ? " on its server" : ""}, then run doctor again.`;
    const away = isTlsFault(error) ? TLS_FIX : "Correct DATABASE_URL, or start the database.";
    const fix = isRefused || !config.databaseUrl ? other : away;
    return [{ check: "database", ...failed(message, fix) }];
  }
}

async function runCheck(check: string, run: () => Promise<Result>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    // A table or column that a migration adds.
    const isBehind = /^(?:42P01|42703|3F000)$/.test(findSqlState(error) ?? "");
    const fix = isBehind ? "Run: migrate" : "Correct the cause, then run doctor again.";
    return { check, ...failed(describeError(error), fix) };
  }
}
