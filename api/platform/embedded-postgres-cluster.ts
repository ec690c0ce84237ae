import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { EmbeddedPostgresError, type Ground, outcome } from "./embedded-postgres-ground.ts";

export const USER = "postgres";
const PORT = 5432;
/** Bytes a Unix socket's path may have: Linux keeps 108 with the closing NUL, macOS 104. */
const SOCKET_PATH_MAX = process.platform === "darwin" ? 103 : 107;

export interface ServerOptions {
  /** 50 when not given. */
  readonly maxConnections?: number;
  /** On when not given. Off, a killed process still loses nothing, a power cut may lose all: for tests. */
  readonly fsync?: boolean;
}

/** Where PostgreSQL listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** A folder outside of the data folder that has to go when PostgreSQL goes. */
  readonly temporary: string | null;
}

/** The command line of PostgreSQL, program first. */
export function serverCommand(ground: Ground, place: Place, options: ServerOptions): string[] {
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
    // Statements and their values may hold licence codes and addresses, which no log may keep.
    log_min_messages: "warning",
    log_min_error_statement: "panic",
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: "terse",
  };
  return [
    join(ground.binaries, "bin", "postgres"),
    "-D",
    ground.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/**
 * Makes the cluster, under another name and then renamed, so that an interrupted start leaves no half of one.
 * @param sync whether it has to be on the disk before it counts as made
 * @throws EmbeddedPostgresError
 */
export async function createCluster(ground: Ground, sync: boolean): Promise<void> {
  const unfinished = `${ground.cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  ground.makePrivate(unfinished);
  const args = ["-D", unfinished, "-U", USER, "-E", "UTF8", "--no-instructions"];
  // The built-in provider sorts and folds alike on every system, whatever locales it has.
  args.push("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!sync) args.push("--no-sync");
  if (process.platform === "win32") args.push("-A", "scram-sha-256", `--pwfile=${passwordFile(ground.cluster)}`);
  else args.push("-A", "trust");
  let fault = "";
  const code = await outcome(() => {
    const child = ground.run(join(ground.binaries, "bin", "initdb"), args, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr?.on("data", (chunk: Buffer) => {
      fault += chunk.toString();
    });
    return child;
  });
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The database could not be made: ${fault.trim().split("\n").at(-1) || "initdb does not run here"}.`,
    );
  }
  renameSync(unfinished, ground.cluster);
}

function passwordFile(cluster: string): string {
  const file = `${cluster}.password`;
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return file;
}

/** @throws EmbeddedPostgresError when the data were written by another major version */
export function refuseOtherVersion(ground: Ground): void {
  const has = readFileSync(join(ground.cluster, "PG_VERSION"), "utf8").trim();
  const wants = "18";
  if (has !== wants)
    throw new EmbeddedPostgresError(
      `The data in ${ground.cluster} were written by PostgreSQL ${has}, and this is ${wants}; dump them with the earlier release first, or set DATA_DIR to another folder.`,
    );
}

/** Decides where PostgreSQL listens, and makes the private folder of its socket. */
export async function findPlace(folder: string, ground: Ground): Promise<Place> {
  if (process.platform === "win32")
    return {
      host: "127.0.0.1",
      port: await freePort(),
      password: readFileSync(passwordFile(ground.cluster), "utf8"),
      temporary: null,
    };
  const note = join(folder, "socket-at");
  if (existsSync(note)) {
    rmSync(readFileSync(note, "utf8").trim(), { recursive: true, force: true });
    rmSync(note);
  }
  const usual = join(dirname(ground.cluster), "socket");
  if (Buffer.byteLength(join(usual, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) {
    ground.makePrivate(usual);
    return { host: usual, port: PORT, password: "", temporary: null };
  }
  const base = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : "/tmp";
  const short = mkdtempSync(join(base, "pg-"));
  writeFileSync(note, short);
  ground.makePrivate(short);
  return { host: short, port: PORT, password: "", temporary: short };
}

/** Reads where the PostgreSQL of a cluster listens from what it wrote about itself; null when that can't be read. */
export function usedPlace(cluster: string): Omit<Place, "temporary"> | null {
  const [, , , port, socketFolder] = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  if (!port || !(process.platform === "win32" || socketFolder)) return null;
  if (process.platform === "win32")
    return { host: "127.0.0.1", port: Number(port), password: readFileSync(passwordFile(cluster), "utf8") };
  return { host: socketFolder?.trim() ?? "", port: Number(port), password: "" };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : PORT));
    });
  });
}
