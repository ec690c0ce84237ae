import process from "node:process";
import { ConfigError } from "#api/config.ts";
import {
  isDatabaseUrl,
  listHostNames,
  readDatabaseHosts,
  toSingleHostUrl,
} from "#api/platform/database/database-hosts.ts";
import { EmbeddedPostgresError } from "#api/platform/embedded/postgres.ts";
import { AppError, describeError, isDatabaseBusy, isDatabaseUnavailable } from "#api/platform/errors.ts";

/** The facts of an error of Node or PostgreSQL. */
interface Fault {
  readonly code?: string;
  readonly port?: number;
  /** Address or socket of a failed connection. */
  readonly address?: string;
  /** Name without an address. */
  readonly hostname?: string;
  /** File or folder that can't be read or written. */
  readonly path?: string;
  readonly stack?: string;
  readonly errors?: readonly Fault[];
  readonly cause?: Fault;
  readonly previous?: Fault;
}

/** Returns only the message of errors that the operator can fix, and the stack of all others. */
export function describeFailure(error: unknown): string {
  const isOperatorError = [ConfigError, EmbeddedPostgresError, AppError].some((known) => error instanceof known);
  if (isOperatorError) return (error as Error).message;
  const { code, port, path, stack } = error as Fault;
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.`;
  // The output's closed pipe has the code of a lost connection.
  if (isDatabaseUnavailable(error) && !isDatabaseBusy(error) && code !== "EPIPE") return describeOutage(error as Fault);
  // A file or folder can't be read or written, or PostgreSQL knows no such role, password (28) or database (3D).
  if (code && (path || /^(?:28|3D|ENOSPC$|EDQUOT$)/.test(code))) return describeError(error);
  return stack ?? String(error);
}

function describeOutage(error: Fault): string {
  const reason = describeError(error);
  const fault = findFault(error);
  // A code of PostgreSQL: its server answers, but has a full disk, accepts no changes or is starting.
  if (/^\d/.test(fault?.code ?? ""))
    return `The database refused: ${reason}. Correct the cause on its server, then try again.`;
  if (!fault || isOfDatabase(fault))
    return `The database can't be reached: ${reason}. Correct DATABASE_URL, or start the database.`;
  return `A connection failed: ${reason}. Start the service, or correct its settings, then try again.`;
}

/** Returns the first error with a code among an error, what caused it, and the attempts to connect that it sums up. */
function findFault(error: Fault | undefined): Fault | null {
  for (let one = error, left = 5; one && left > 0; one = one.cause ?? one.previous, left--)
    if (one.code) return one.errors?.[0] ?? one;
  return null;
}

/** Returns whether a failed connection was to the socket of a database, or to a server that a setting names. */
function isOfDatabase({ address, hostname, port }: Fault): boolean {
  if (address?.includes("/.s.PGSQL.")) return true;
  const names = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL"];
  const urls = names.map((name) => process.env[name] ?? "").filter(isDatabaseUrl);
  return urls.some((url) => {
    const ports = readDatabaseHosts(url)?.hosts.map((host) => host.port) ?? [Number(toSingleHostUrl(url).port) || 5432];
    return (hostname && listHostNames(url).includes(hostname)) || (port && ports.includes(port));
  });
}
