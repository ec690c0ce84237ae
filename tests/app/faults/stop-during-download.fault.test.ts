import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

async function startDownload(): Promise<IncomingMessage> {
  const sent = request(`${app.url}/software/production/setup.exe`).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

test("stops despite a stalled download and lets an active download finish", async () => {
  const size = 40_000_000;
  await publishTestBuild(app, "7.2.0", { content: "x".repeat(size) });
  const [stalled, reading] = [await startDownload(), await startDownload()];
  const ended = once(stalled, "error");
  const began = performance.now();
  const stopping = app.app.close();
  let read = 0;
  for await (const chunk of reading) read += (chunk as Buffer).length;
  await stopping;
  expect(read).toBe(size);
  expect(performance.now() - began).toBeLessThan(10_000);
  stalled.resume();
  await ended;
});
