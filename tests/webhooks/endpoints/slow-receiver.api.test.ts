import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createEndpoint, recordEvents } from "#tests/factories/webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const soon = { timeout: 8_000 };

test("limits a slow receiver to three concurrent deliveries without delaying other owners", {
  timeout: 40_000,
}, async () => {
  const slow = await createUser(app);
  const fast = await createUser(app);
  // Two endpoints of one owner, because the limit applies per owner.
  const [first, second] = [await createEndpoint(app, receiver, slow), await createEndpoint(app, receiver, slow)];
  const { posts: fastPosts } = await createEndpoint(app, receiver, fast);
  const waiting: ServerResponse[] = [];
  const isSlow = (path: string) => path === first.path || path === second.path;
  receiver.reply = (response, { path }) => (isSlow(path) ? waiting.push(response) : response.writeHead(204).end());
  await recordEvents(app, slow.id, 10);
  // Only one process polls for jobs, because another one could deliver what this one delays.
  await openSecondProcess(app, {}, {});
  await expect.poll(() => waiting.length, soon).toBe(3);

  for (let count = 1; count <= 3; count++) {
    await recordEvents(app, fast.id);
    await expect.poll(() => fastPosts().length, soon).toBe(count);
  }
  expect(waiting).toHaveLength(3);

  // The remaining deliveries follow immediately, without a sweep for each.
  receiver.reply = (response) => response.writeHead(204).end();
  for (const response of waiting) response.writeHead(204).end();
  await expect.poll(() => first.posts().length + second.posts().length, soon).toBe(20);
});
