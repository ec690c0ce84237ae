import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "#tests/support/free-port.ts";
import { buildPrograms, startProgram } from "#tests/support/programs.ts";
import { startServerProcess, waitUntilReady } from "#tests/support/server-process.ts";
import { buildDatabaseUrl, createDatabaseWithoutDemo } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

let server: Awaited<ReturnType<typeof startServerProcess>>;
let metricsUrl: string;
let databaseUrl: string;
const folder = createTemporaryFolder("workers-");
const brandFile = join(folder, "brand.json");
const build = `workers-${process.pid}`;
let buildFile: string;
const goodBuild = 'import "./server.js";';
beforeAll(async () => {
  buildFile = join(await buildPrograms(), `${build}.js`);
  writeFileSync(buildFile, goodBuild);
  copyFileSync("brand.example.json", brandFile);
  const metricsPort = await findFreePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  databaseUrl = buildDatabaseUrl(await createDatabaseWithoutDemo());
  const operations = { METRICS_PORT: String(metricsPort), DRAIN_SECONDS: "1", LOG_LEVEL: "error" };
  const env = { DATABASE_URL: databaseUrl, ...operations, BRAND_FILE: brandFile };
  server = await startServerProcess(env, async () => {}, waitUntilReady, ["serve", "--workers", "2"], build);
});
afterAll(async () => {
  await server.remove();
  rmSync(buildFile);
});

const listWorkers = () => listChildren(server.pid);

function listChildren(pid: number): string[] {
  try {
    const listed = execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
    return listed.trim().split("\n");
  } catch {
    return [];
  }
}

/** Waits until two other workers run. */
async function expectReplaced(before: readonly string[], timeout = 60_000): Promise<void> {
  await expect.poll(() => listWorkers().filter((pid) => before.includes(pid)), { timeout }).toEqual([]);
  await expect.poll(listWorkers).toHaveLength(2);
}

/** Opens a connection to the metrics, for which the primary process sends each worker a message. */
async function openScraper(pid: number, port: string) {
  const scraper = connect(Number(port), "127.0.0.1").on("error", () => {});
  const requestMetrics = () => scraper.write("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n");
  requestMetrics();
  await once(scraper, "data");
  const killBeforeMessage = async (worker: string) => {
    // While the primary process is stopped, the next request arrives before the end of the worker.
    process.kill(pid, "SIGSTOP");
    requestMetrics();
    await sleep(200);
    process.kill(Number(worker), "SIGKILL");
    await sleep(200);
    process.kill(pid, "SIGCONT");
  };
  return { scraper, killBeforeMessage };
}

/** Sends requests over new and kept connections until `work` ends, and returns the answers that weren't 401. */
async function findFaultsDuring(work: () => Promise<void>): Promise<unknown[]> {
  const faults: unknown[] = [];
  let isDone = false;
  const client = async (headers: Record<string, string>) => {
    while (!isDone) {
      const answer = await fetch(`${server.url}/v1/core/accounts/1/profile`, { headers }).then(
        ({ status }) => status,
        (error: Error) => error,
      );
      if (answer !== 401) faults.push(answer);
    }
  };
  const clients = [client({}), client({}), client({ connection: "close" })];
  await work();
  isDone = true;
  await Promise.all(clients);
  return faults;
}

test("SIGHUP replaces every worker while no request fails and the port stays ready", async () => {
  await expect.poll(listWorkers).toHaveLength(2);
  const before = listWorkers();
  const faults = await findFaultsDuring(async () => {
    process.kill(server.pid, "SIGHUP");
    await expect.poll(() => listWorkers().filter((pid) => before.includes(pid)).length).toBe(0);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await expect.poll(listWorkers).toHaveLength(2);
  });
  expect(faults).toEqual([]);
});

test("workers go on where their replacements don't start, and are replaced once the fault is corrected", async () => {
  const before = listWorkers();
  const faults = await findFaultsDuring(async () => {
    writeFileSync(brandFile, "{");
    process.kill(server.pid, "SIGHUP");
    await expect.poll(() => server.log).toContain("a new worker did not start; the old ones go on");
    expect(listWorkers()).toEqual(before);
    copyFileSync("brand.example.json", brandFile);
    process.kill(server.pid, "SIGHUP");
    await expectReplaced(before);
  });
  expect(faults).toEqual([]);
});

test("workers go on where the new build can't be loaded, or never serves", async () => {
  const before = listWorkers();
  const countRefusals = () => server.log.split("a new worker did not start").length;
  const refusals = countRefusals();
  const faults = await findFaultsDuring(async () => {
    writeFileSync(buildFile, "import {");
    process.kill(server.pid, "SIGHUP");
    await expect.poll(countRefusals).toBe(refusals + 1);
    expect(listWorkers()).toEqual(before);

    writeFileSync(buildFile, "setInterval(() => {}, 1_000);");
    process.kill(server.pid, "SIGHUP");
    await expect.poll(listWorkers).toHaveLength(3);
    writeFileSync(buildFile, goodBuild);
    process.kill(server.pid, "SIGHUP");
    await expectReplaced(before);
  });
  expect(countRefusals()).toBe(refusals + 2);
  expect(faults).toEqual([]);
});

test("SIGHUP also replaces a worker that hangs", async () => {
  const before = listWorkers();
  process.kill(Number(before[0]), "SIGSTOP");
  process.kill(server.pid, "SIGHUP");
  await expectReplaced(before, 90_000);
});

test("a killed worker is replaced", async () => {
  const [killed = ""] = listWorkers();
  process.kill(Number(killed), "SIGKILL");
  await expect.poll(() => listWorkers().includes(killed)).toBe(false);
  expect((await fetch(`${server.url}/health/live`, { headers: { connection: "close" } })).status).toBe(200);
  await expect.poll(listWorkers).toHaveLength(2);
});

test("a message to a worker that was killed a moment ago ends no other process", async () => {
  const [killed = ""] = listWorkers();
  const { killBeforeMessage, scraper } = await openScraper(server.pid, new URL(metricsUrl).port);
  await killBeforeMessage(killed);
  await expectReplaced([killed]);
  scraper.destroy();
});

test("the metrics say that nothing is ready while every worker ends before it serves", async () => {
  writeFileSync(buildFile, "import {");
  for (const pid of listWorkers()) process.kill(Number(pid), "SIGKILL");
  const scrape = async () => (await fetch(metricsUrl)).text();
  await expect.poll(scrape).toMatch(/^portal_ready 0$/m);
  writeFileSync(buildFile, goodBuild);
  await expect.poll(scrape).toMatch(/^portal_ready 1$/m);
  await expect.poll(listWorkers).toHaveLength(2);
});

test("the metrics are the sum of the workers, and the database's numbers appear once", async () => {
  const scrape = async () => (await fetch(metricsUrl)).text();
  // Both workers serve.
  await expect.poll(scrape).toMatch(/^portal_database_connections_limit\{pool="main"\} 20$/m);
  const text = await scrape();
  for (const part of [/^portal_ready 1$/m, /^portal_database_up 1$/m, /^portal_dead_letters 0$/m])
    expect(text).toMatch(part);
});

test("SIGTERM stops the workers too", async () => {
  const workers = listWorkers();
  await server.remove();
  for (const pid of workers) expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow("fetch failed");
});

test("SIGTERM waits for a worker that hangs, also if a message to it is lost", async () => {
  const ports = { PORT: String(await findFreePort()), METRICS_PORT: String(await findFreePort()) };
  const settings = { NODE_ENV: "development", DATA_DIR: folder, LOG_LEVEL: "silent" } as const;
  const env = { ...settings, ...ports, DATABASE_URL: databaseUrl };
  const child = await startProgram("server", ["serve", "--workers", "2"], { env });
  const ended = once(child, "exit");
  const list = () => listChildren(child.pid ?? 0);
  await waitUntilReady(`http://127.0.0.1:${ports.PORT}`);
  await expect.poll(list).toHaveLength(2);
  const [hung = ""] = list();
  const { killBeforeMessage } = await openScraper(child.pid ?? 0, ports.METRICS_PORT);
  process.kill(Number(hung), "SIGSTOP");
  child.kill("SIGTERM");
  // The other worker has ended.
  await expect.poll(list).toEqual([hung]);
  await killBeforeMessage(hung);
  expect(await ended).toEqual([0, null]);
});

test("SIGTERM before the first worker serves starts no others", async () => {
  const starts = join(folder, "starts");
  const countForks = `import cluster from "node:cluster";
    import { appendFileSync } from "node:fs";
    const { fork } = cluster;
    if (cluster.isPrimary) {
      cluster.fork = (env) => (appendFileSync(${JSON.stringify(starts)}, "x"), fork.call(cluster, env));
      await import("./server.js");
    } else setInterval(() => {}, 1_000);`;
  writeFileSync(buildFile, countForks);
  const settings = { NODE_ENV: "development", DATA_DIR: folder, LOG_LEVEL: "silent" } as const;
  const env = { ...settings, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const child = await startProgram(build, ["serve", "--workers", "3"], { env });
  await expect.poll(() => existsSync(starts)).toBe(true);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readFileSync(starts, "utf8")).toBe("x");
});
