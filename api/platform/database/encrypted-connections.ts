import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { isLoopbackHost } from "#api/platform/http/external-addresses.ts";
import { listHostNames, toSingleHostUrl } from "./database-hosts.ts";

/** Values of `sslmode` with which the database's certificate is verified. */
const verifyingModes: readonly string[] = ["require", "verify-ca", "verify-full"];

/** Returns whether connections to a host don't cross a network. Without a host, or with a socket's folder, they stay here. */
const isLocal = (host: string) => host === "" || host.startsWith("/") || isLoopbackHost(host);

/** Returns whether connections to a database use verified TLS or stay on this machine. The URL must be valid. */
export function isDatabaseEncrypted(databaseUrl: string): boolean {
  const mode = toSingleHostUrl(databaseUrl).searchParams.get("sslmode") ?? "";
  return listHostNames(databaseUrl).every(isLocal) || verifyingModes.includes(mode);
}

/**
 * Parameters of an SMTP server's URL with the only value that keeps TLS and the check of the certificate. For the
 * client, most other values count, too: `ignoreTLS=1` turns TLS off.
 */
const safeParameters = { ignoreTLS: "false", opportunisticTLS: "false", "tls.rejectUnauthorized": "true" };

/** Returns whether connections to an SMTP server use verified TLS or stay on this machine. The URL must be valid. */
export function isSmtpEncrypted(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const isSafe = Object.entries(safeParameters).every(([name, value]) => (searchParams.get(name) ?? value) === value);
  return isLocal(hostname) || (isSafe && (protocol === "smtps:" || searchParams.get("requireTLS") === "true"));
}

/**
 * Reads the TLS settings in a database URL: `sslmode`, and `sslrootcert`, the file of a private certificate authority.
 * @returns undefined for a connection without TLS
 * @throws Error if the file can't be read
 */
export function readDatabaseTls(databaseUrl: string): ConnectionOptions | undefined {
  const { searchParams } = toSingleHostUrl(databaseUrl);
  const mode = searchParams.get("sslmode") ?? "";
  if (mode === "no-verify") return { rejectUnauthorized: false };
  if (!verifyingModes.includes(mode)) return undefined;
  const authority = searchParams.get("sslrootcert");
  return { rejectUnauthorized: true, ...(authority ? { ca: readFileSync(authority, "utf8") } : {}) };
}
