import type { FastifyBaseLogger } from "fastify";
import { AppError, isDatabaseBusy, isDatabaseUnavailable, toAppError } from "#api/platform/errors.ts";
import { toLoggedError } from "./log.ts";

/** Interval at which an outage is logged, in milliseconds. */
const INTERVAL_MS = 1_000;

type Log = Pick<FastifyBaseLogger, "error">;

/** Number of failed requests that aren't logged yet, for each outage that was logged in the last second. */
const waiting = new Map<string, number>();

/**
 * Logs a request that failed with a server error. While the database or another service is away, one line a second
 * without a stack counts the requests that failed because of it.
 * @param details more properties of the line, if it has a stack
 */
export function logFailure(log: Log, error: unknown, message: string, details: object = {}): void {
  const isOutage = toAppError(error).code === "UNAVAILABLE" && !isDatabaseBusy(error);
  if (isOutage) logOutage(log, error);
  else log.error({ err: error ?? null, ...details }, message);
}

function logOutage(log: Log, error: unknown): void {
  const isDatabase = isDatabaseUnavailable(error);
  const { message, code } = toLoggedError(error instanceof AppError ? (error.cause ?? error) : error);
  // Messages of AppErrors are our own texts, so there are few.
  const outage = isDatabase ? "database" : (error as Error).message;
  const writeLine = (failures: number): void => {
    const text = isDatabase ? "the database is unavailable" : "a service is unavailable";
    log.error({ reason: message, ...(code ? { code } : {}), failures }, text);
    waiting.set(outage, 0);
    setTimeout(() => {
      const since = waiting.get(outage) ?? 0;
      if (since > 0) writeLine(since);
      else waiting.delete(outage);
    }, INTERVAL_MS).unref();
  };
  const unlogged = waiting.get(outage);
  if (unlogged === undefined) writeLine(1);
  else waiting.set(outage, unlogged + 1);
}
