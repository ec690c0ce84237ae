import { type Logger, pino } from "pino";
import type { Config } from "#api/config.ts";

/** What a log line keeps of an error. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack: string;
}

/** The process's log: JSON lines on standard output, without secrets. */
export function createLog(config: Pick<Config, "logLevel">): Logger {
  return pino({ level: config.logLevel, base: null, serializers: { err: loggedError } });
}

/**
 * An error without the statement that caused it: the ORM writes statements with their values into its
 * messages, and values are emails, codes and hashes. PostgreSQL's own sentence stays, its details do not.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "not an error", stack: "" };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const previous = (error as { previous?: unknown }).previous;
  const cause = previous instanceof Error ? previous : error;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: error.constructor.name,
    // Details stand on lines of their own, and what stands in quotes may be a value that somebody sent.
    message: (cause.message.split("\n")[0] ?? "").replace(/: ".*"$/, ""),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof constraint === "string" ? { constraint } : {}),
    stack: frames.join("\n"),
  };
}
