import type { ValidationError } from "yup";
import {
  type ErrorCode,
  type ErrorReason,
  type FieldErrors,
  messageOfErrorCode,
  SESSION_ONLY,
  statusOfErrorCode,
} from "#schema/error-codes.ts";

/**
 * The only error whose details are sent to clients. `message` is shown to users; `fields` contains messages for the fields
 * of a form. Any other error is logged and reported as INTERNAL.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** Seconds to wait before trying again (RATE_LIMITED, UNAVAILABLE). */
  readonly retryAfterSeconds: number | undefined;

  readonly reason: ErrorReason | undefined;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      fields?: FieldErrors;
      retryAfterSeconds?: number;
      reason?: ErrorReason;
      /** The error behind this one, for the log. */
      cause?: unknown;
    } = {},
  ) {
    super(
      options.message ?? messageOfErrorCode[code],
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "AppError";
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }

  /** Returns the HTTP status of the code. */
  get status(): number {
    return statusOfErrorCode[this.code];
  }
}

/**
 * Creates a NOT_FOUND error. A row the caller may not read gets the same error as one that doesn't exist
 * (docs/domain.md#audiences).
 */
export function notFound(): AppError {
  return new AppError("NOT_FOUND");
}

/** Creates a CONFLICT error with a message for the user, which is shown at `field`, too. */
export function conflict(message: string, field?: string): AppError {
  return new AppError("CONFLICT", { message, ...(field && { fields: { [field]: [message] } }) });
}

/** Creates an UNPROCESSABLE error with a message for the user. */
export function unprocessable(message: string): AppError {
  return new AppError("UNPROCESSABLE", { message });
}

/** Creates a BAD_USER_INPUT error with messages for each invalid field. */
export function badInput(fields: FieldErrors): AppError {
  return new AppError("BAD_USER_INPUT", { fields });
}

/** Creates the FORBIDDEN error of operations that need a session, for personal access tokens. */
export function sessionOnly(): AppError {
  return new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
}

/** Converts a yup error to messages by field path. Errors about the whole object use the path `body`. */
export function toFieldErrors(error: ValidationError): FieldErrors {
  const fields: FieldErrors = {};
  const all = error.inner.length > 0 ? error.inner : [error];
  for (const one of all) {
    const name = one.path || "body";
    const messages = (fields[name] ??= []);
    for (const message of one.errors) if (!messages.includes(message)) messages.push(message);
  }
  return fields;
}

/** Codes of a connection that is lost or refused, of a machine that is off, and of a name without an address. */
const connectionFaults = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * SQLSTATEs of a database that is temporarily unavailable: connection exceptions (08), insufficient resources such as disk
 * or memory (53), system errors such as I/O errors (58), read-only after a failover or with a full disk (25006), shutting
 * down or starting (57P01 to 57P05), and lock or statement timeouts.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const databaseFaults = /^(?:(?:08|53|58)[0-9A-Z]{3}|25006|57P0[1-5]|55P03|40P01|57014)$/;

/** Error codes of a full disk or an exceeded disk quota. */
const fullDiskFaults = new Set(["ENOSPC", "EDQUOT"]);

/** SQLSTATEs of {@link databaseFaults} that an available database answers: lock and statement timeouts, and deadlocks. */
const busyFaults = new Set<unknown>(["55P03", "40P01", "57014"]);

interface AnyError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly previous?: unknown;
}

/** Returns an error and those that caused it, at most 5. */
function followCauses(error: unknown): AnyError[] {
  const errors: AnyError[] = [];
  for (let one = error as AnyError | undefined; one && errors.length < 5; one = (one.cause ?? one.previous) as AnyError)
    errors.push(one);
  return errors;
}

/** Returns whether an error means that the database is unavailable, starting, out of space or memory, or too busy. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return followCauses(error).some(
    (one) =>
      (typeof one.code === "string" && (databaseFaults.test(one.code) || isConnectionFault(one))) ||
      (typeof one.message === "string" &&
        /Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|not queryable|Client has encountered a connection error|the database system is|Cannot use a pool after/.test(
          one.message,
        )),
  );
}

/**
 * Returns the message of an error for an operator: for a service that is away, the one of its cause, and for a connection that
 * several addresses refused, the first one.
 */
export function describeError(error: unknown): string {
  if (error instanceof AppError && error.code === "UNAVAILABLE" && error.cause) return describeError(error.cause);
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  if (isPasswordMissing(error)) return "the server wants a password, but the URL has none";
  return message || errors?.[0]?.message || String(error);
}

/** Returns whether a URL of a database lacks the password that its server wants. `pg` then doesn't ask the server. */
export function isPasswordMissing(error: unknown): boolean {
  return /client password must be a/.test(String((error as { message?: unknown } | null)?.message));
}

/** Returns the SQLSTATE with which the database answered a failed statement or connection, or null. */
export function findSqlState(error: unknown): string | null {
  const found = followCauses(error).find(({ code }) => typeof code === "string" && /^\d[0-9A-Z]{4}$/.test(code));
  return (found?.code as string | undefined) ?? null;
}

/** Returns whether the database answered, but a statement ran, or waited for a lock, for too long. */
export function isDatabaseBusy(error: unknown): boolean {
  return followCauses(error).some(({ code }) => busyFaults.has(code));
}

/** Returns whether an error is a connection error. ENOENT counts only if the socket of the database doesn't exist. */
function isConnectionFault({ code, syscall }: { code?: unknown; syscall?: unknown }): boolean {
  return connectionFaults.has(code as string) && (code !== "ENOENT" || syscall === "connect");
}

/** Returns whether a connection failed because of a certificate, or because the database offers no TLS. */
export function isTlsFault(error: unknown): boolean {
  return followCauses(error).some(
    ({ code, message }) =>
      (typeof code === "string" && /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) ||
      message === "The server does not support SSL connections",
  );
}

function isDiskFull(error: unknown): boolean {
  return fullDiskFaults.has((error as { code?: string } | null | undefined)?.code ?? "");
}

/** Returns whether an error is a statement timeout (SQLSTATE 57014). */
export function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === "57014";
}

/**
 * Converts any thrown value to an {@link AppError}. An unavailable database or a full disk becomes UNAVAILABLE, other
 * errors become INTERNAL.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error) || isDiskFull(error))
    return new AppError("UNAVAILABLE", { retryAfterSeconds: 5, cause: error });
  return new AppError("INTERNAL");
}

/**
 * Returns whether the database or another service is away, so that other work would fail, too. A statement that took too
 * long, or waited too long for a lock, says nothing about other work.
 */
export function isOutage(error: unknown): boolean {
  return toAppError(error).code === "UNAVAILABLE" && !isDatabaseBusy(error);
}
