import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { EmbeddedPostgresError, type PostgresRuntime, getExitCode } from "./runtime.ts";

export const POSTGRES_USER = "postgres";
const PORT = 5432;
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
export function buildServerCommand(ground: PostgresRuntime, place: ListenAddress, options: ServerOptions): string[] {
  const settings: Record<string, string | number> = {
    ...(process.platform === "win32"
      ? { listen_addresses: "127.0.0.1", port: place.port }
      : {
          listen_addresses: "",
          unix_socket_directories: `"${place.host.replaceAll('"', '""')}"`,
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
    join(ground.binaries, "bin", "postgres"),
    "-D",
    ground.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/**
 * Creates the cluster under a temporary name and then renames it, so an interrupted start leaves no incomplete cluster.
 * @param sync whether to flush the cluster to disk
 * @throws EmbeddedPostgresError
 */
export async function createCluster(ground: PostgresRuntime, sync: boolean): Promise<void> {
  const unfinished = `${ground.cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  ground.createPrivateFolder(unfinished);
  const args = ["-D", unfinished, "-U", POSTGRES_USER, "-E", "UTF8", "--no-instructions"];
  // The built-in provider sorts and folds case the same way on every system.
  args.push("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!sync) args.push("--no-sync");
  if (process.platform === "win32") args.push("-A", "scram-sha-256", `--pwfile=${ensurePasswordFile(ground.cluster)}`);
  else args.push("-A", "trust");
  let fault = "";
  const code = await getExitCode(() => {
    const child = ground.run(join(ground.binaries, "bin", "initdb"), args, { stdio: ["ignore", "ignore", "pipe"] });
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
  renameSync(unfinished, ground.cluster);
}

function ensurePasswordFile(cluster: string): string {
  const file = `${cluster}.password`;
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return file;
}

/** @throws EmbeddedPostgresError if the data belongs to another major version of PostgreSQL */
export function checkDataVersion(ground: PostgresRuntime): void {
  const actual = readFileSync(join(ground.cluster, "PG_VERSION"), "utf8").trim();
  const expected = "18";
  if (actual !== expected)
    throw new EmbeddedPostgresError(
      `The data in ${ground.cluster} was written by PostgreSQL ${actual}, but this is PostgreSQL ${expected}. Dump the data with the earlier release first, or set DATA_DIR to another folder.`,
    );
}

/** Chooses the address PostgreSQL listens on, and creates the private folder of its socket. */
export async function chooseListenAddress(folder: string, ground: PostgresRuntime): Promise<ListenAddress> {
  if (process.platform === "win32")
    return {
      host: "127.0.0.1",
      port: await findFreePort(),
      password: readFileSync(ensurePasswordFile(ground.cluster), "utf8"),
      temporary: null,
    };
  const note = join(folder, "socket-at");
  if (existsSync(note)) {
    rmSync(readFileSync(note, "utf8").trim(), { recursive: true, force: true });
    rmSync(note);
  }
  const usual = join(dirname(ground.cluster), "socket");
  if (Buffer.byteLength(join(usual, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) {
    ground.createPrivateFolder(usual);
    return { host: usual, port: PORT, password: "", temporary: null };
  }
  const base = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : "/tmp";
  const short = mkdtempSync(join(base, "pg-"));
  writeFileSync(note, short);
  ground.createPrivateFolder(short);
  return { host: short, port: PORT, password: "", temporary: short };
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
