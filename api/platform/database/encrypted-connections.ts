import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { listHostNames, toSingleHostUrl } from "./database-hosts.ts";

/** Values of `sslmode` with which the database's certificate is verified. */
const verifyingModes: readonly string[] = ["require", "verify-ca", "verify-full"];

/** Returns whether a host name is this machine, so that its connections don't cross a network. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "" || name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Returns whether connections to a database use verified TLS or stay on this machine. The URL must be valid. */
export function isDatabaseEncrypted(databaseUrl: string): boolean {
  const areLocal = listHostNames(databaseUrl).every((host) => isLoopback(host) || host.startsWith("/"));
  return areLocal || verifyingModes.includes(toSingleHostUrl(databaseUrl).searchParams.get("sslmode") ?? "");
}

/** Returns whether connections to an SMTP server use TLS or stay on this machine. The URL must be valid. */
export function isSmtpEncrypted(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  return protocol === "smtps:" || isLoopback(hostname) || searchParams.get("requireTLS") === "true";
}

/**
 * Reads the TLS settings in a database URL: `sslmode`, and `sslrootcert`, the file of a private certificate authority.
 * The ORM ignores them in a URL.
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
