import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "#tests/support/processes.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const runtime = join(import.meta.dirname, "../../scripts/runtime.mjs");

/** Source of a stand-in server that stops like the real one. */
const server = `
  const stop = (why) => { process.stdout.write("stopped by " + why + "\\n"); process.exit(0); };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
  process.on("disconnect", () => stop("disconnect"));
  process.stdout.write("pid " + process.pid + "\\n");
  setInterval(() => {}, 1_000);`;

interface Launched {
  readonly child: ChildProcess;
  readonly serverPid: number;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts a stand-in server the way `npm start` starts the real one. `under` can add a shell in between. */
async function launch(source = server, under: "directly" | "a shell" = "directly"): Promise<Launched> {
  const folder = createTemporaryFolder("launcher-");
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
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  await Promise.race([until(() => text.includes("pid ")), ended]);
  return { child, serverPid: Number(/pid (\d+)/.exec(text)?.[1]), output: () => text, ended };
}

const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 5_000 });

test.each(["SIGINT", "SIGTERM"] as const)("passes %s to the server and exits with its code", async (signal) => {
  const { child, serverPid, output, ended } = await launch();
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(isAlive(serverPid)).toBe(false);
  expect(output()).toContain(`stopped by ${signal}`);
});

test("stops the server when the launcher is killed", async () => {
  const { child, serverPid } = await launch();
  child.kill("SIGKILL");
  await until(() => !isAlive(serverPid));
});

test("stops launcher and server when the shell between npm and the launcher is killed", async () => {
  const { child, serverPid } = await launch(server, "a shell");
  child.kill("SIGKILL");
  await until(() => !isAlive(serverPid));
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
