import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { port, hostname } = new URL(app.url);

async function open(request: string, isWhole = true) {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  if (request) socket.write(request);
  if (request && isWhole) await once(socket, "data");
  return { socket, closed: once(socket, "close") };
}

test("stops despite connections that are unused, kept alive or halfway through a request", async () => {
  const request = "GET /health/live HTTP/1.1\r\nHost: portal.test\r\n\r\n";
  const connections = [await open(""), await open(request), await open(request.slice(0, 20), false)];
  // The server has accepted the connections before it begins to stop.
  expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  const started = performance.now();
  await app.app.close();
  expect(performance.now() - started).toBeLessThan(8_000);
  await Promise.all(connections.map(({ closed }) => closed));
});
