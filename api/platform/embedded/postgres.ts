import type { ChildProcess } from "node:child_process";
import { closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createCluster,
  chooseListenAddress,
  readListenAddress,
  type ListenAddress,
  checkDataVersion,
  type ServerOptions,
  buildServerCommand,
  POSTGRES_USER,
} from "./cluster.ts";
import { EmbeddedPostgresError, findRuntime, type PostgresRuntime, getExitCode } from "./runtime.ts";
import { lockFolder } from "./lock.ts";
import { stopLeftoverPostgres, readLastError, readPostmaster, sendSignal } from "./process.ts";

export { EmbeddedPostgresError } from "./runtime.ts";

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** Folder for everything that belongs to the database. Created if it doesn't exist. */
  readonly dataDir: string;
  /** Receives messages for the operator about restarts and their reasons. */
  readonly log?: (message: string) => void;
}

/** Exit status of a PostgreSQL server that ended unexpectedly. */
export interface UnexpectedEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running PostgreSQL server. It ends with this process, even if this process is killed. */
export interface EmbeddedPostgres {
  /** Folder of the Unix socket; 127.0.0.1 on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Empty if access is limited by the permissions of the socket's folder. */
  readonly password: string;
  readonly database: string;
  /** Adds a listener for unexpected ends. PostgreSQL restarts automatically, so callers only need to reconnect. */
  onExit(listener: (end: UnexpectedEnd) => void): void;
  /** Stops PostgreSQL and resolves when it has ended. Further calls return the same promise. */
  stop(): Promise<void>;
}

const READY_WAIT_MS = 60_000;
const STOP_WAIT_MS = 4_000;
const LEFTOVER_WAIT_MS = 8_000;
const RESTART_MS = { first: 50, longest: 5_000, stableAfter: 30_000 } as const;

/**
 * A shell script that runs between this process and PostgreSQL. Its standard input is a pipe that the kernel closes when
 * this process ends for any reason. The script then requests a fast shutdown, and an immediate one after ten seconds.
 */
const KEEPER = `
exec 3<&0
"$0" "$@" 3<&- & p=$!
( read -r _ <&3; kill -INT $p
  n=0; while [ $n -lt 100 ]; do sleep 0.1; kill -0 $p || exit; n=$((n+1)); done
  kill -QUIT $p ) 2>/dev/null & w=$!
trap 'kill -INT $p' INT TERM HUP
while kill -0 $p 2>/dev/null; do wait $p; s=$?; done
kill $w 2>/dev/null
exit $s`;

/** Thrown when another process is already running the database in the folder. */
class FolderInUseError extends EmbeddedPostgresError {}

/**
 * Starts PostgreSQL on a folder. If another process, such as the server, already runs it there, connects to that
 * PostgreSQL instead, and `stop` leaves it running.
 * @throws EmbeddedPostgresError for the same reasons as {@link startEmbeddedPostgres}
 */
export async function openOrStartEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const folder = realpathSync(options.dataDir);
    const { cluster } = await findRuntime(folder);
    const address = readPostmaster(cluster)?.isReady ? readListenAddress(cluster) : null;
    if (!address) throw error;
    return { ...address, user: POSTGRES_USER, database: "postgres", onExit: () => {}, stop: async () => {} };
  }
}

/**
 * Starts PostgreSQL on a folder and keeps it running. Creates the cluster on the first start. If PostgreSQL crashes or is
 * killed, it is started again and recovers all committed data.
 *
 * Only the same user on this machine (and root) can connect: it listens on a Unix socket in a private folder, not on TCP.
 * @throws EmbeddedPostgresError with a message for the operator, for example if another process uses the folder
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o711 });
  const folder = realpathSync(options.dataDir);
  const lock = await lockFolder(folder, LEFTOVER_WAIT_MS);
  if ("pid" in lock)
    throw new FolderInUseError(
      `The data in ${folder} is in use by ${lock.pid ? `process ${lock.pid}` : "another process"}. Stop that process first, or set DATA_DIR to another folder.`,
    );
  let supervisor: Supervisor | null = null;
  try {
    const runtime = await findRuntime(folder);
    await stopLeftoverPostgres(runtime.cluster, LEFTOVER_WAIT_MS);
    if (!existsSync(runtime.cluster)) await createCluster(runtime, options.fsync !== false);
    checkDataVersion(runtime);
    const address = await chooseListenAddress(folder, runtime);
    supervisor = new Supervisor(runtime, folder, address, options);
    await supervisor.start();
    const running = supervisor;
    let stopped: Promise<void> | null = null;
    return {
      host: address.host,
      port: address.port,
      user: POSTGRES_USER,
      password: address.password,
      database: "postgres",
      onExit: (listener) => running.listeners.push(listener),
      stop: () => {
        stopped ??= (async () => {
          lock.markEnding();
          await running.stop();
          if (address.temporary) rmSync(address.temporary, { recursive: true, force: true });
          await lock.release();
        })();
        return stopped;
      },
    };
  } catch (error) {
    lock.markEnding();
    await supervisor?.stop();
    await lock.release();
    throw error;
  }
}

class Supervisor {
  readonly listeners: ((end: UnexpectedEnd) => void)[] = [];
  readonly #runtime: PostgresRuntime;
  readonly #logFile: string;
  readonly #command: readonly string[];
  readonly #log: (message: string) => void;
  #child: ChildProcess | null = null;
  #ended: Promise<UnexpectedEnd> = Promise.resolve({ code: 0, signal: null });
  #stopping: AbortController = new AbortController();
  #restarting: Promise<void> = Promise.resolve();

  constructor(runtime: PostgresRuntime, folder: string, address: ListenAddress, options: EmbeddedPostgresOptions) {
    this.#runtime = runtime;
    this.#logFile = join(folder, "postgres.log");
    this.#log = options.log ?? (() => {});
    this.#command = buildServerCommand(runtime, address, options);
  }

  /** Starts PostgreSQL and retries errors that resolve on their own. */
  async start(): Promise<void> {
    const deadline = performance.now() + LEFTOVER_WAIT_MS;
    for (;;) {
      const fault = await this.#launch();
      if (!fault) break;
      // The backends of a killed PostgreSQL take a moment to end.
      const isTransient = /shared memory block|lock file "[^"]*" already exists/.test(fault);
      if (!isTransient || performance.now() > deadline)
        throw new EmbeddedPostgresError(`PostgreSQL doesn't start: ${fault} (see ${this.#logFile}).`);
      await sleep(100);
    }
    this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting.catch(() => {});
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    if (process.platform === "win32") {
      await getExitCode(() =>
        this.#runtime.run(
          join(this.#runtime.binaries, "bin", "pg_ctl"),
          ["stop", "-m", "fast", "-D", this.#runtime.cluster],
          { stdio: "ignore" },
        ),
      );
    }
    child.stdin?.end();
    const forceTimer = setTimeout(() => {
      const running = readPostmaster(this.#runtime.cluster);
      if (running) sendSignal(running.pid, "SIGQUIT");
    }, STOP_WAIT_MS);
    await this.#ended;
    clearTimeout(forceTimer);
  }

  /** Starts PostgreSQL once and returns null when it is ready, or the reason why it ended. */
  async #launch(): Promise<string | null> {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;
    // A restart appends to the log, so the log still shows the reason for the crash.
    const mode = this.#child ? O_APPEND : O_TRUNC;
    const log = openSync(this.#logFile, O_WRONLY | O_CREAT | O_NOFOLLOW | mode, 0o600);
    const shell = process.platform !== "win32";
    const [program = "", ...args] = this.#command;
    const child = shell
      ? this.#runtime.run("/bin/sh", ["-c", KEEPER, program, ...args], {
          stdio: ["pipe", "ignore", log],
          detached: true,
        })
      : this.#runtime.run(program, args, { stdio: ["pipe", "ignore", log] });
    closeSync(log);
    this.#child = child;
    child.stdin?.on("error", () => {});
    let end: UnexpectedEnd | null = null;
    this.#ended = new Promise((resolve) => {
      const finish = (code: number | null, signal: NodeJS.Signals | null): void => resolve((end ??= { code, signal }));
      child.on("error", () => finish(null, null));
      child.on("exit", finish);
    });
    const deadline = performance.now() + READY_WAIT_MS;
    while (!end) {
      if (readPostmaster(this.#runtime.cluster)?.isReady && !end) return null;
      if (performance.now() > deadline) {
        child.stdin?.end();
        await this.#ended;
        return `it was not ready after ${READY_WAIT_MS / 1_000} seconds`;
      }
      await Promise.race([sleep(10), this.#ended]);
    }
    return readLastError(this.#logFile) ?? "it ended immediately";
  }

  #watch(): void {
    const since = performance.now();
    void this.#ended.then((end) => {
      if (this.#stopping.signal.aborted) return;
      this.#log(`PostgreSQL ended unexpectedly (${end.signal ?? end.code}). Restarting.`);
      for (const listener of this.listeners) listener(end);
      const wasStable = performance.now() - since > RESTART_MS.stableAfter;
      this.#restarting = this.#restart(wasStable ? RESTART_MS.first : RESTART_MS.first * 2);
    });
  }

  async #restart(firstDelay: number): Promise<void> {
    for (let delay: number = firstDelay; ; delay = Math.min(delay * 2, RESTART_MS.longest)) {
      try {
        await sleep(delay, undefined, { signal: this.#stopping.signal });
        await stopLeftoverPostgres(this.#runtime.cluster, LEFTOVER_WAIT_MS);
        const fault = await this.#launch();
        if (!fault) break;
        this.#log(`PostgreSQL couldn't be restarted: ${fault}.`);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#log(`PostgreSQL couldn't be restarted: ${(error as Error).message}`);
      }
      if (this.#stopping.signal.aborted) return;
    }
    this.#log("PostgreSQL is running again.");
    if (!this.#stopping.signal.aborted) this.#watch();
  }
}
