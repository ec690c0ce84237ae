import type { ValidationError } from "yup";
import {
  type ErrorCode,
  type ErrorReason,
  type FieldErrors,
  sentenceOfErrorCode,
  statusOfErrorCode,
} from "#schema/error-codes.ts";

/**
 * The one error that leaves the product on purpose. `message` is read by people; `fields` holds the
 * sentences for a form's fields. Anything else that is thrown becomes INTERNAL and is logged, not shown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** Seconds after which trying again makes sense (RATE_LIMITED, UNAVAILABLE). */
  readonly retryAfterSeconds: number | undefined;

  readonly reason: ErrorReason | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; fields?: FieldErrors; retryAfterSeconds?: number; reason?: ErrorReason } = {},
  ) {
    super(options.message ?? sentenceOfErrorCode[code]);
    this.name = "AppError";
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }

  /** HTTP status of the code. */
  get status(): number {
    return statusOfErrorCode[this.code];
  }
}

/** Missing and foreign look the same to who may not read (docs/domain.md#audiences). */
export function notFound(): AppError {
  return new AppError("NOT_FOUND");
}

/** BAD_USER_INPUT with the sentences of each faulty field. */
export function badInput(fields: FieldErrors): AppError {
  return new AppError("BAD_USER_INPUT", { fields });
}

/** The sentences of a yup failure by field path; a failure of the whole object stands under `body`. */
export function fieldErrorsOf(error: ValidationError): FieldErrors {
  const fields: FieldErrors = {};
  const all = error.inner.length > 0 ? error.inner : [error];
  for (const one of all) {
    const name = one.path || "body";
    const sentences = (fields[name] ??= []);
    for (const sentence of one.errors) if (!sentences.includes(sentence)) sentences.push(sentence);
  }
  return fields;
}

const connectionFaults = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"]);

/**
 * SQLSTATEs of a database that can't work at the moment: connection exceptions (08), insufficient resources such as a
 * full disk or no memory (53), faults of its system such as I/O errors (58), read-only after a failover or for lack of
 * space (25006), shutting down, starting or gone (57P01 to 57P05), and locks or time that ran out.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const databaseFaults = /^(?:(?:08|53|58)[0-9A-Z]{3}|25006|57P0[1-5]|55P03|40P01|57014)$/;

/** Codes of a machine whose disk is full, or a quota on it. */
const fullDiskFaults = new Set(["ENOSPC", "EDQUOT"]);

/** Whether an error says that the database is away, starting, out of space or memory, or too busy to answer in time. */
export function isDatabaseAway(error: unknown): boolean {
  for (
    let one = error as
        | { code?: unknown; syscall?: unknown; message?: unknown; cause?: unknown; previous?: unknown }
        | undefined,
      depth = 0;
    one && depth < 5;
    depth++
  ) {
    if (typeof one.code === "string" && (databaseFaults.test(one.code) || isConnectionFault(one))) return true;
    if (
      typeof one.message === "string" &&
      /Connection terminated|timeout exceeded when trying to connect|not queryable|Client has encountered a connection error|the database system is|Cannot use a pool after/.test(
        one.message,
      )
    )
      return true;
    one = (one.cause ?? one.previous) as typeof one;
  }
  return false;
}

/** ENOENT is a database's only when its socket is not there. */
function isConnectionFault({ code, syscall }: { code?: unknown; syscall?: unknown }): boolean {
  return connectionFaults.has(code as string) && (code !== "ENOENT" || syscall === "connect");
}

/** Whether an error says that the disk of this process is full. */
function isDiskFull(error: unknown): boolean {
  return fullDiskFaults.has((error as { code?: string } | null | undefined)?.code ?? "");
}

/** Whether an error says that a statement was given up because its time was over. */
export function isTimeUp(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === "57014";
}

/**
 * Returns any thrown value as an {@link AppError}: ours as it is, a database that is away or can't work and a full disk as
 * UNAVAILABLE, the rest as INTERNAL.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || isDiskFull(error)) return new AppError("UNAVAILABLE", { retryAfterSeconds: 5 });
  return new AppError("INTERNAL");
}
