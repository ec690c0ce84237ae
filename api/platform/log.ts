import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** What a log line keeps of an error. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack: string;
  /** The errors that an AggregateError collects, as far as a log line has room for them. */
  readonly errors?: readonly LoggedError[];
}

/** Errors of an AggregateError that a log line keeps. */
const MOST_ERRORS = 5;

/** The process's log: JSON lines on standard output, without secrets. */
export function createLog(config: Pick<Config, "logLevel">): Logger {
  return pino({ level: config.logLevel, base: null, serializers: { err: loggedError } });
}

/**
 * Returns what the log keeps of a thrown value, without the statement that caused it: the ORM writes statements with their
 * values into its messages, and values are emails, codes and hashes. PostgreSQL's own sentence stays, its details do not.
 * Copies of errors, such as pg-boss hands out, are logged as errors too; of any other value only its type and keys.
 */
export function loggedError(error: unknown): LoggedError {
  const thrown = thrownValue(error);
  if (!isErrorLike(thrown)) return loggedValue(thrown);
  const { code, constraint, previous } = thrown;
  const cause = isErrorLike(previous) ? previous : thrown;
  const collected = thrown instanceof AggregateError ? thrown.errors.slice(0, MOST_ERRORS).map(loggedError) : [];
  return {
    type: thrown instanceof Error ? thrown.constructor.name : (thrown.name ?? "Error"),
    message: firstLine(cause.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof constraint === "string" ? { constraint } : {}),
    stack: framesOf(thrown.stack),
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

/** graphql-js wraps what is not an error in one, and writes the whole value into its message. */
function thrownValue(error: unknown): unknown {
  return error instanceof Error && error.name === "NonErrorThrown"
    ? (error as { thrownValue?: unknown }).thrownValue
    : error;
}

/** A thrown value that is no error: its stack is that of the log line, which says at least who caught it. */
function loggedValue(value: unknown): LoggedError {
  const message =
    typeof value === "string"
      ? firstLine(value)
      : typeof value === "object" && value !== null
        ? `An object was thrown instead of an error; keys: ${Object.keys(value).slice(0, 20).join(", ") || "none"}`
        : `A value was thrown instead of an error: ${String(value)}`;
  return { type: value === null ? "null" : typeof value, message, stack: framesOf(new Error(message).stack) };
}

/** Details are on lines of their own, and what is in quotes may be a value that somebody sent. */
function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/: ".*"$/, "");
}

function framesOf(stack: string | undefined): string {
  return (stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
