import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** Held by the one process that may run a database on a folder; gone the moment that process is. */
export interface FolderLock {
  /** Tells whoever asks from now on that the folder will be free shortly. */
  announceEnd(): void;
  release(): Promise<void>;
}

/** Who holds the folder: their process id, or null when the holder does not answer. */
export type Holder = { readonly pid: number | null };

/** A server that was just told to stop may not have come to say so yet. */
const GRACE_MS = 2_000;

/**
 * Claims a folder for this process. A holder that is just ending is waited for.
 *
 * The lock is a listening socket and not a file, because a socket cannot outlive its process: after
 * `kill -9` nothing stale is left to be judged.
 * @param waitMs how long to wait for a holder that has announced its end
 * @returns the lock, or the holder that keeps it
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock | Holder> {
  const name = socketName(folder);
  const started = performance.now();
  for (;;) {
    const lock = await listen(name);
    if (lock) return lock;
    const answer = await ask(name);
    if (answer === "nobody") {
      // Only a socket file can be left over; an abstract name or a pipe is free by now.
      if (process.platform !== "linux" && process.platform !== "win32") rmSync(name, { force: true });
    } else if (performance.now() - started > (answer.state === "running" ? Math.min(GRACE_MS, waitMs) : waitMs)) {
      return { pid: answer.pid };
    }
    await sleep(50);
  }
}

function socketName(folder: string): string {
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
        announceEnd: () => {
          state = "ending";
        },
        release: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}

function ask(name: string): Promise<{ pid: number | null; state: "running" | "ending" } | "nobody"> {
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
    socket.on("error", () => resolve("nobody"));
    socket.on("close", () => {
      const [pid, state] = text.trim().split(" ");
      if (pid && state) resolve({ pid: Number(pid), state: state === "ending" ? "ending" : "running" });
      else resolve("nobody");
    });
  });
}
