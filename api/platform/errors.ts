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

/** Missing and foreign look the same to who may not read (DESIGN §2.7). */
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

const connectionFaults = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08003",
  "08006",
  "08001",
  "55P03",
  "40P01",
  "57014",
]);

/** Whether an error says that the database is away, starting, or too busy to answer in time. */
export function isDatabaseAway(error: unknown): boolean {
  for (
    let one = error as
        | { code?: unknown; syscall?: unknown; message?: unknown; cause?: unknown; previous?: unknown }
        | undefined,
      depth = 0;
    one && depth < 5;
    depth++
  ) {
    if (typeof one.code === "string" && connectionFaults.has(one.code) && !isMissingFile(one)) return true;
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
function isMissingFile({ code, syscall }: { code?: unknown; syscall?: unknown }): boolean {
  return code === "ENOENT" && syscall !== "connect";
}

/** Whether an error says that a statement was given up because its time was over. */
export function isTimeUp(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === "57014";
}

/** Any thrown value as an {@link AppError}: ours as it is, a lost database as UNAVAILABLE, the rest as INTERNAL. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return new AppError("UNAVAILABLE", { retryAfterSeconds: 5 });
  return new AppError("INTERNAL");
}
