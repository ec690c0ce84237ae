import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** The lock of the process that runs the database of a folder. It is released when that process ends. */
export interface FolderLock {
  /** Reports to waiting processes that the lock will be released shortly. */
  markEnding(): void;
  release(): Promise<void>;
}

/** The process that holds the lock; its ID is null if it doesn't respond. */
export type LockHolder = { readonly pid: number | null };

/** Time that a process has, after being signalled to stop, to report that it is ending. */
const GRACE_MS = 2_000;

/**
 * Locks a folder for this process. Waits for a holder that is ending.
 *
 * The lock is a listening socket instead of a file, because a socket can't outlive its process: `kill -9` leaves no stale
 * lock behind.
 * @param waitMs longest wait for a holder that is ending
 * @returns the lock, or the process that has it
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock | LockHolder> {
  const name = getSocketName(folder);
  const started = performance.now();
  for (;;) {
    const lock = await listen(name);
    if (lock) return lock;
    const holder = await readHolder(name);
    if (holder === null) {
      // Only a socket file can be left over. An abstract socket or a pipe disappears with its process.
      if (process.platform !== "linux" && process.platform !== "win32") rmSync(name, { force: true });
    } else if (performance.now() - started > (holder.state === "running" ? Math.min(GRACE_MS, waitMs) : waitMs)) {
      return { pid: holder.pid };
    }
    await sleep(50);
  }
}

function getSocketName(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const id = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 20);
  if (process.platform === "linux") return `\0xer-portal-${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\xer-portal-${id}`;
  return join(tmpdir(), `xer-portal-${id}`);
}

function listen(name: string): Promise<FolderLock | null> {
  return new Promise((resolve, reject) => {
    let state: "running" | "ending" = "running";
    const server: Server = createServer((socket) => {
      socket.on("error", () => {});
      socket.end(`${process.pid} ${state}\n`);
    });
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(error);
    });
    server.listen(name, () => {
      server.on("error", () => {});
      server.unref();
      resolve({
        markEnding: () => {
          state = "ending";
        },
        release: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}

function readHolder(name: string): Promise<{ pid: number | null; state: "running" | "ending" } | null> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(name);
    socket.setTimeout(1_000, () => {
      socket.destroy();
      resolve({ pid: null, state: "running" });
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => resolve(null));
    socket.on("close", () => {
      const [pid, state] = text.trim().split(" ");
      if (pid && state) resolve({ pid: Number(pid), state: state === "ending" ? "ending" : "running" });
      else resolve(null);
    });
  });
}
