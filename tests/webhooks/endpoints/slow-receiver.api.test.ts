import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createEndpoint, happenTo } from "#tests/factories/webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { openBeside } from "#tests/support/two-processes.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const soon = { timeout: 8_000 };

test("a receiver that does not answer has three deliveries under way, and holds up nobody else's", {
  timeout: 40_000,
}, async () => {
  const slow = await createUser(app);
  const fast = await createUser(app);
  // Of two endpoints of one owner: the limit is the owner's.
  const [first, second] = [await createEndpoint(app, receiver, slow), await createEndpoint(app, receiver, slow)];
  const { posts: fastPosts } = await createEndpoint(app, receiver, fast);
  const held: ServerResponse[] = [];
  const isSlow = (path: string) => path === first.path || path === second.path;
  receiver.reply = (response, { path }) => (isSlow(path) ? held.push(response) : response.writeHead(204).end());
  await happenTo(app, slow.id, 10);
  // One process that takes jobs by itself, as in operation: another would deliver what this one held up.
  await openBeside(app, {}, {});
  await expect.poll(() => held.length, soon).toBe(3);

  for (let count = 1; count <= 3; count++) {
    await happenTo(app, fast.id);
    await expect.poll(() => fastPosts().length, soon).toBe(count);
  }
  expect(held).toHaveLength(3);

  // What had to wait follows at once, without waiting for a sweep each time.
  receiver.reply = (response) => response.writeHead(204).end();
  for (const response of held) response.writeHead(204).end();
  await expect.poll(() => first.posts().length + second.posts().length, soon).toBe(20);
});
