import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";

const runtime = join(import.meta.dirname, "../../scripts/runtime.mjs");

/** Source of a stand-in server that stops like the real one. */
const server = `
  const stop = (why) => { process.stdout.write("stopped by " + why + "\\n"); process.exit(0); };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
  process.on("disconnect", () => stop("disconnect"));
  process.stdout.write("pid " + process.pid + "\\n");
  setInterval(() => {}, 1_000);`;

let folder: string;
let launched: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "launcher-"));
});

afterEach(() => {
  for (const child of launched.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Launched {
  readonly child: ChildProcess;
  readonly serverPid: number;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts a stand-in server the way `npm start` starts the real one. `under` can add a shell in between. */
async function launch(source = server, under: "directly" | "a shell" = "directly"): Promise<Launched> {
  const serverFile = join(folder, "server.mjs");
  const launcherFile = join(folder, "launcher.mjs");
  writeFileSync(serverFile, source);
  writeFileSync(
    launcherFile,
    `import { keepServer, onStopSignal } from ${JSON.stringify(runtime)};
    const server = keepServer([${JSON.stringify(serverFile)}]);
    onStopSignal((signal) => void server.stop(signal));
    process.exit(await server.ended);`,
  );
  const env = { ...process.env, npm_lifecycle_event: "start" };
  const child =
    under === "directly"
      ? spawn(process.execPath, [launcherFile], { env, stdio: ["ignore", "pipe", "inherit"] })
      : spawn("/bin/sh", ["-c", `"${process.execPath}" "${launcherFile}"; exit $?`], {
          env,
          stdio: ["ignore", "pipe", "inherit"],
        });
  launched.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  await Promise.race([until(() => text.includes("pid ")), ended]);
  return { child, serverPid: Number(/pid (\d+)/.exec(text)?.[1]), output: () => text, ended };
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error("The condition was not met within 5 s.");
    await sleep(10);
  }
}

function alive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

test.each(["SIGINT", "SIGTERM"] as const)("passes %s to the server and exits with its code", async (signal) => {
  const { child, serverPid, output, ended } = await launch();
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(alive(serverPid)).toBe(false);
  expect(output()).toContain(`stopped by ${signal}`);
});

test("stops the server when the launcher is killed", async () => {
  const { child, serverPid } = await launch();
  child.kill("SIGKILL");
  await until(() => !alive(serverPid));
});

test("stops launcher and server when the shell between npm and the launcher is killed", async () => {
  const { child, serverPid } = await launch(server, "a shell");
  child.kill("SIGKILL");
  await until(() => !alive(serverPid));
});

test("exits with the server's exit code", async () => {
  const { ended } = await launch('process.stdout.write("pid 0\\n"); process.exit(3);');
  expect(await ended).toBe(3);
});

test("exits with 137 when the server is killed", async () => {
  const { serverPid, ended } = await launch();
  process.kill(serverPid, "SIGKILL");
  expect(await ended).toBe(137);
});
