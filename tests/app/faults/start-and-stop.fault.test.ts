import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import process from "node:process";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startServerProcess, waitUntilLive, waitUntilReady } from "#tests/support/server-process.ts";
import { createDatabaseWithoutDemo } from "#tests/support/test-database.ts";
import { startTcpProxy } from "#tests/support/tcp-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const database = await createDatabaseWithoutDemo();
const proxy = await startTcpProxy({ path: `${database.host}/.s.PGSQL.${database.port}` });
const url = `postgres://${database.user}:${database.password}@127.0.0.1:${proxy.port}/${database.dbName}`;
const getStatus = async (address: string) => (await fetch(address)).status;

test("starts while the database is away, and serves calls as soon as it responds", async () => {
  proxy.set("refuse");
  const server = await startServerProcess({ DATABASE_URL: url }, async () => {}, waitUntilLive);
  try {
    expect(await getStatus(`${server.url}/health/ready`)).toBe(503);
    expect(await getStatus(`${server.url}/health/database`)).toBe(503);
    const call = await fetch(`${server.url}/v1/core/accounts/1/profile`);
    expect([call.status, call.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await getStatus(`${server.url}/v1/openapi.json`)).toBe(503);
    proxy.set("pass");
    await waitUntilReady(server.url, 20_000);
    expect(await getStatus(`${server.url}/health/database`)).toBe(200);
    expect(await getStatus(`${server.url}/v1/core/accounts/1/profile`)).toBe(401);
  } finally {
    await server.remove();
  }
}, 120_000);

test("stays ready but serves no calls after the database goes away, and stops without it", async () => {
  proxy.set("pass");
  const server = await startServerProcess({ DATABASE_URL: url });
  proxy.set("refuse");
  expect(await getStatus(`${server.url}/health/ready`)).toBe(200);
  expect(await getStatus(`${server.url}/health/database`)).toBe(503);
  const stoppedAt = performance.now();
  await server.remove();
  expect(performance.now() - stoppedAt).toBeLessThan(15_000);
}, 120_000);

test("serves requests for DRAIN_SECONDS after SIGTERM without being ready, then closes its port", async () => {
  proxy.set("pass");
  const server = await startServerProcess({ DATABASE_URL: url, DRAIN_SECONDS: "2" });
  const stoppedAt = performance.now();
  process.kill(server.pid, "SIGTERM");
  await sleep(200);
  expect(await (await fetch(`${server.url}/health/ready`)).json()).toEqual({ status: "draining" });
  while (performance.now() - stoppedAt < 1_700) {
    const response = await fetch(`${server.url}/v1/core/accounts/1/profile`);
    expect([response.status, response.headers.get("connection")]).toEqual([401, "close"]);
  }
  await server.remove();
  expect(performance.now() - stoppedAt).toBeGreaterThan(1_900);
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow("fetch failed");
  // The port is available again.
  const next = createServer().listen(Number(new URL(server.url).port), "127.0.0.1");
  await once(next, "listening");
  expect((next.address() as AddressInfo).port).toBe(Number(new URL(server.url).port));
  next.close();
}, 120_000);

/** Opens a connection and sends part of a request, or all of it. */
async function open({ port, hostname }: URL, text: string, isWhole = true) {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  if (text) socket.write(text);
  if (text && isWhole) await once(socket, "data");
  return { socket, closed: once(socket, "close") };
}

test("stops despite connections that are unused, kept alive or halfway through a request", async () => {
  const call = "GET /health/live HTTP/1.1\r\nHost: portal.test\r\n\r\n";
  const app = await startTestApp();
  const at = new URL(app.url);
  const connections = [await open(at, ""), await open(at, call), await open(at, call.slice(0, 20), false)];
  // The server has accepted the connections before it begins to stop.
  expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  const started = performance.now();
  await app.app.close();
  expect(performance.now() - started).toBeLessThan(8_000);
  await Promise.all(connections.map(({ closed }) => closed));
});

test("stops despite a stalled download and lets an active download finish", async () => {
  const app = await startTestApp();
  const size = 40_000_000;
  await publishTestBuild(app, "7.2.0", { content: "x".repeat(size) });
  const startDownload = async (): Promise<IncomingMessage> =>
    (await once(request(`${app.url}/software/production/setup.exe`).end(), "response"))[0];
  const [stalled, reading] = [await startDownload(), await startDownload()];
  const ended = once(stalled, "error");
  const began = performance.now();
  const stopping = app.app.close();
  expect((await buffer(reading)).length).toBe(size);
  await stopping;
  expect(performance.now() - began).toBeLessThan(10_000);
  stalled.resume();
  await ended;
});
