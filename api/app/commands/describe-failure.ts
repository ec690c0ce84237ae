import { ConfigError } from "#api/config.ts";
import { EmbeddedPostgresError } from "#api/platform/embedded/postgres.ts";
import {
  AppError,
  describeError,
  findSqlState,
  isDatabaseBusy,
  isDatabaseUnavailable,
  isPasswordMissing,
  isTlsFault,
} from "#api/platform/errors.ts";

/** What an operator does where a server's certificate isn't accepted. */
export const TLS_FIX =
  "Correct the server's certificate, or its setting, such as DATABASE_URL: its host must be a name of the certificate, and sslrootcert the file of a private certificate authority.";

/** Returns only the message of errors that the operator can fix, and the stack of all others. */
export function describeFailure(error: unknown): string {
  const isOperatorError = [ConfigError, EmbeddedPostgresError, AppError].some((known) => error instanceof known);
  if (isOperatorError) return describeError(error);
  const { code, port, path, stack } = error as { code?: string; port?: number; path?: string; stack?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT or METRICS_PORT to another port.`;
  // The output's closed pipe has the code of a lost connection.
  if (isDatabaseUnavailable(error) && !isDatabaseBusy(error) && code !== "EPIPE") return describeOutage(error);
  if (isTlsFault(error)) return `A connection isn't secure: ${describeError(error)}. ${TLS_FIX}`;
  if (isPasswordMissing(error))
    return `A connection failed: ${describeError(error)}. Add it to the setting, such as DATABASE_URL.`;
  // A file or folder can't be read or written, or PostgreSQL knows no such role, password (28) or database (3D).
  if (code && (path || /^(?:28|3D|ENOSPC$|EDQUOT$)/.test(code))) return describeError(error);
  return stack ?? String(error);
}

function describeOutage(error: unknown): string {
  const reason = describeError(error);
  // A code of PostgreSQL: its server answers, but has a full disk, accepts no changes or is starting.
  return findSqlState(error)
    ? `The database refused: ${reason}. Correct the cause on its server, then try again.`
    : `A connection failed: ${reason}. Start the server at that address, or correct its setting, such as DATABASE_URL.`;
}
