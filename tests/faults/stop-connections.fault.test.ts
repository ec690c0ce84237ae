import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { port, hostname } = new URL(app.url);

async function open(asked: string) {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  if (asked) {
    socket.write(asked);
    await once(socket, "data");
  }
  return { socket, closed: once(socket, "close") };
}

test("connections that nobody asks over do not keep the process from stopping: opened beforehand, or kept alive", async () => {
  const connections = [await open(""), await open("GET /health/live HTTP/1.1\r\nHost: portal.test\r\n\r\n")];
  // The server has accepted both before it is told to stop.
  expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  const started = performance.now();
  await app.app.close();
  expect(performance.now() - started).toBeLessThan(2_500);
  await Promise.all(connections.map(({ closed }) => closed));
});
