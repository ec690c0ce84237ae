import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { EmbeddedPostgresError, type PostgresRuntime, getExitCode } from "./runtime.ts";

export const POSTGRES_USER = "postgres";
const PORT = 5432;
/** Major version of the packaged PostgreSQL. */
const POSTGRES_VERSION = "18";
/** Maximum length of a Unix socket path in bytes. Linux allows 108 including the final NUL, macOS 104. */
const SOCKET_PATH_MAX = process.platform === "darwin" ? 103 : 107;

export interface ServerOptions {
  /** Default 50. */
  readonly maxConnections?: number;
  /**
   * Default true. Without it, a power cut may destroy all data, but killing the process loses nothing. Tests turn it
   * off.
   */
  readonly fsync?: boolean;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** The address PostgreSQL listens on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** A folder outside the data folder, to delete when PostgreSQL stops. */
  readonly temporary: string | null;
}

/** Builds the command line of PostgreSQL, program first. */
export function buildServerCommand(runtime: PostgresRuntime, address: ListenAddress, options: ServerOptions): string[] {
  const settings: Record<string, string | number> = {
    ...(process.platform === "win32"
      ? { listen_addresses: "127.0.0.1", port: address.port }
      : {
          listen_addresses: "",
          unix_socket_directories: `"${address.host.replaceAll('"', '""')}"`,
          unix_socket_permissions: "0700",
          port: PORT,
        }),
    max_connections: options.maxConnections ?? 50,
    fsync: options.fsync === false ? "off" : "on",
    ...(options.fsync === false ? { full_page_writes: "off" } : {}),
    // Statements and their values may contain licence codes and addresses, which must not be logged.
    log_min_messages: "warning",
    log_min_error_statement: "panic",
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: "terse",
    ...options.settings,
  };
  return [
    join(runtime.binaries, "bin", "postgres"),
    "-D",
    runtime.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/**
 * Creates the cluster under a temporary name and then renames it, so an interrupted start leaves no incomplete cluster.
 * @param sync whether to flush the cluster to disk
 * @throws EmbeddedPostgresError
 */
export async function createCluster(runtime: PostgresRuntime, sync: boolean): Promise<void> {
  const unfinished = `${runtime.cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  runtime.createPrivateFolder(unfinished);
  const args = ["-D", unfinished, "-U", POSTGRES_USER, "-E", "UTF8", "--no-instructions"];
  // The built-in provider sorts and folds case the same way on every system.
  args.push("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!sync) args.push("--no-sync");
  if (process.platform === "win32") args.push("-A", "scram-sha-256", `--pwfile=${ensurePasswordFile(runtime.cluster)}`);
  else args.push("-A", "trust");
  let fault = "";
  const code = await getExitCode(() => {
    const child = runtime.run(join(runtime.binaries, "bin", "initdb"), args, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr?.on("data", (chunk: Buffer) => {
      fault += chunk.toString();
    });
    return child;
  });
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The database couldn't be created: ${fault.trim().split("\n").at(-1) || "initdb doesn't run on this machine"}.`,
    );
  }
  renameSync(unfinished, runtime.cluster);
}

function ensurePasswordFile(cluster: string): string {
  const file = `${cluster}.password`;
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return file;
}

/** @throws EmbeddedPostgresError if the data belongs to another major version of PostgreSQL */
export function checkDataVersion(runtime: PostgresRuntime): void {
  const actual = readFileSync(join(runtime.cluster, "PG_VERSION"), "utf8").trim();
  if (actual !== POSTGRES_VERSION)
    throw new EmbeddedPostgresError(
      `The data in ${runtime.cluster} was written by PostgreSQL ${actual}, but this is PostgreSQL ${POSTGRES_VERSION}. Dump the data with the earlier release first, or set DATA_DIR to another folder.`,
    );
}

/**
 * Chooses the address PostgreSQL listens on, and creates the private folder of its socket: next to the cluster, or a
 * temporary folder if that path is too long for a socket. A note names the temporary folder, so that the next start
 * deletes it after a crash.
 */
export async function chooseListenAddress(folder: string, runtime: PostgresRuntime): Promise<ListenAddress> {
  if (process.platform === "win32")
    return {
      host: "127.0.0.1",
      port: await findFreePort(),
      password: readFileSync(ensurePasswordFile(runtime.cluster), "utf8"),
      temporary: null,
    };
  const note = join(folder, "socket-at");
  if (existsSync(note)) {
    rmSync(readFileSync(note, "utf8").trim(), { recursive: true, force: true });
    rmSync(note);
  }
  const besideCluster = join(dirname(runtime.cluster), "socket");
  if (Buffer.byteLength(join(besideCluster, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) {
    runtime.createPrivateFolder(besideCluster);
    return { host: besideCluster, port: PORT, password: "", temporary: null };
  }
  const base = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : "/tmp";
  const temporary = mkdtempSync(join(base, "pg-"));
  writeFileSync(note, temporary);
  runtime.createPrivateFolder(temporary);
  return { host: temporary, port: PORT, password: "", temporary };
}

/** Returns the address of a running PostgreSQL as written in its PID file; null if the file is incomplete. */
export function readListenAddress(cluster: string): Omit<ListenAddress, "temporary"> | null {
  const [, , , port, socketFolder] = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  if (!port || !(process.platform === "win32" || socketFolder)) return null;
  if (process.platform === "win32")
    return { host: "127.0.0.1", port: Number(port), password: readFileSync(ensurePasswordFile(cluster), "utf8") };
  return { host: socketFolder?.trim() ?? "", port: Number(port), password: "" };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : PORT));
    });
  });
}
