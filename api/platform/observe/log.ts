import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "#api/platform/config.ts";
import type { FastifyBaseLogger } from "fastify";
import { AppError, isDatabaseUnavailable, isOutage } from "#api/platform/errors.ts";

/** The properties of an error that are logged. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack: string;
  /** The first errors of an AggregateError. */
  readonly errors?: readonly LoggedError[];
}

/** Maximum number of logged errors of an AggregateError. */
const MAX_ERRORS = 5;

/**
 * Lines are written in batches of this size, just below the most that pino writes at once. Batches of 4 kB still take 4 %
 * of the time of a validation.
 */
const BATCH_BYTES = 16_000;

/** Time until an incomplete batch is written. A process that is killed loses at most these lines. */
const BATCH_MS = 100;

/** Bytes that wait while the output can't be written, for example because its disk is full. Later lines are dropped. */
const MAX_WAITING_BYTES = 1_000_000;

/** Standard output, once for all logs of the process: each destination would write a batch every 100 ms, even an empty one. */
let output: DestinationStream | undefined;

/** Creates the log of the process, which writes JSON lines without secrets to standard output or another stream. */
export function createLog(config: Pick<Config, "logLevel">, to?: NodeJS.WritableStream): Logger {
  const options = { level: config.logLevel, base: null, serializers: { err: toLoggedError } };
  return pino(options, to ?? (output ??= openOutput()));
}

/** Opens standard output. A process that exits or fails first writes the last batch, unless the output can't be written. */
function openOutput(): DestinationStream {
  const opened = pino.destination({
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: BATCH_MS,
    maxLength: MAX_WAITING_BYTES,
  });
  const flushSync = opened.flushSync.bind(opened);
  // Without a listener, a full disk would end the process, whose last step would then try to write for ever.
  opened.on("error", () => (opened.flushSync = () => {}));
  opened.on("write", () => (opened.flushSync = flushSync));
  return opened;
}

/**
 * Converts a thrown value to its logged form, without the SQL statement. The ORM's messages contain statements with
 * their values, which may be emails, codes or hashes. PostgreSQL's message is kept, but its details aren't. Copies of
 * errors, for example from pg-boss, are logged like errors. For any other object only the keys are logged.
 */
export function toLoggedError(error: unknown): LoggedError {
  const thrown = unwrapThrownValue(error);
  if (!isErrorLike(thrown)) return toLoggedValue(thrown);
  const { code, constraint, previous } = thrown;
  const cause = isErrorLike(previous) ? previous : thrown;
  const collected = thrown instanceof AggregateError ? thrown.errors.slice(0, MAX_ERRORS).map(toLoggedError) : [];
  return {
    type: thrown instanceof Error ? thrown.constructor.name : (thrown.name ?? "Error"),
    message: getFirstLine(cause.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof constraint === "string" ? { constraint } : {}),
    stack: extractFrames(thrown.stack),
    ...(collected.length > 0 ? { errors: collected } : {}),
  };
}

interface ErrorLike {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly previous?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null && typeof (value as ErrorLike).message === "string";
}

/** Returns the original value if graphql-js wrapped it. Its wrapper includes the whole value in the message. */
function unwrapThrownValue(error: unknown): unknown {
  return error instanceof Error && error.name === "NonErrorThrown"
    ? (error as { thrownValue?: unknown }).thrownValue
    : error;
}

/** Converts a thrown value other than an error. The stack of the log call shows where the value was caught. */
function toLoggedValue(value: unknown): LoggedError {
  const message =
    typeof value === "string"
      ? getFirstLine(value)
      : typeof value === "object" && value !== null
        ? `An object was thrown instead of an error; keys: ${Object.keys(value).slice(0, 20).join(", ") || "none"}`
        : `A value was thrown instead of an error: ${String(value)}`;
  return { type: value === null ? "null" : typeof value, message, stack: extractFrames(new Error(message).stack) };
}

/** Returns the first line of a message, without details on later lines and without quoted values from requests. */
function getFirstLine(message: string): string {
  const line = message.split("\n")[0] ?? "";
  const quote = line.indexOf(': "');
  return quote >= 0 && quote + 3 < line.length && line.endsWith('"') ? line.slice(0, quote) : line;
}

function extractFrames(stack: string | undefined): string {
  return (stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}

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
  if (isOutage(error)) logOutage(log, error);
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
