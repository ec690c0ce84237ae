import { once } from "node:events";
import Fastify from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { shedLoad } from "#api/app/shed-load.ts";
import { toAppError } from "#api/platform/errors.ts";

let app = Fastify();
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** Starts an app in which two calls may wait, unless told otherwise. `/v1/slow` waits until `finish` is called. */
function start(limits = { pending: 2, late: 2, lateMs: 60_000 }) {
  const waiting: (() => void)[] = [];
  app = Fastify();
  shedLoad(app, limits);
  app.setErrorHandler((error, _request, reply) => {
    const { status, retryAfterSeconds } = toAppError(error);
    return reply.code(status).header("retry-after", String(retryAfterSeconds)).send();
  });
  app.get("/v1/slow", () => new Promise((resolve) => waiting.push(() => resolve("done"))));
  app.get("/v1/fails", () => Promise.reject(new Error("failed")));
  app.get("/v1/quick", () => "done");
  app.get("/health/live", () => "live");
  app.get("/faqs/", () => "page");
  return { waiting, finish: () => waiting.splice(0).forEach((end) => end()) };
}

const get = (url: string) => app.inject({ url });

test("refuses calls, but not pages and health checks, while as many as allowed wait", async () => {
  const { waiting, finish } = start();
  const slow = [get("/v1/slow"), get("/v1/slow")];
  await expect.poll(() => waiting.length).toBe(2);
  for (const url of ["/v1/quick", "/%76%31/quick"]) {
    const refused = await get(url);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
  }
  expect([(await get("/faqs/")).statusCode, (await get("/health/live")).statusCode]).toEqual([200, 200]);
  finish();
  expect((await Promise.all(slow)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect((await get("/v1/quick")).statusCode).toBe(200);
});

test("refuses calls while more than allowed have waited for too long, but not in a burst", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const { waiting, finish } = start({ pending: 9, late: 1, lateMs: 5_000 });
  const slow = [get("/v1/slow"), get("/v1/slow"), get("/v1/slow")];
  await expect.poll(() => waiting.length).toBe(3);
  now.mockReturnValue(5_999);
  expect((await get("/v1/quick")).statusCode).toBe(200);
  now.mockReturnValue(12_000);
  expect((await get("/v1/quick")).statusCode).toBe(503);
  finish();
  await Promise.all(slow);
  const burst = [get("/v1/slow"), get("/v1/slow"), get("/v1/slow")];
  await expect.poll(() => waiting.length).toBe(3);
  expect((await get("/v1/quick")).statusCode).toBe(200);
  finish();
  await Promise.all(burst);
});

test("counts a call that failed or was refused no longer", async () => {
  const { waiting, finish } = start();
  for (let call = 0; call < 3; call++) expect((await get("/v1/fails")).statusCode).toBe(500);
  const slow = [get("/v1/slow"), get("/v1/slow")];
  await expect.poll(() => waiting.length).toBe(2);
  for (let call = 0; call < 3; call++) expect((await get("/v1/quick")).statusCode).toBe(503);
  finish();
  await Promise.all(slow);
  expect((await get("/v1/quick")).statusCode).toBe(200);
});

test("no longer counts a call whose client left before its response", async () => {
  const { waiting } = start();
  const url = await app.listen({ port: 0 });
  const leave = new AbortController();
  const slow = [1, 2].map(() => fetch(`${url}/v1/slow`, { signal: leave.signal }).catch(() => "left"));
  await expect.poll(() => waiting.length).toBe(2);
  expect((await fetch(`${url}/v1/quick`)).status).toBe(503);
  leave.abort();
  expect(await Promise.all(slow)).toEqual(["left", "left"]);
  await expect.poll(async () => (await fetch(`${url}/v1/quick`)).status).toBe(200);
});

test("counts no call whose client left before it was admitted", async () => {
  const { waiting } = start();
  let leave = new AbortController();
  app.addHook("preValidation", async ({ raw }) => {
    if (raw.url !== "/v1/slow") return;
    const left = once(raw.socket, "close");
    leave.abort();
    await left;
  });
  const url = await app.listen({ port: 0 });
  for (let call = 0; call < 4; call++) {
    leave = new AbortController();
    await fetch(`${url}/v1/slow`, { signal: leave.signal }).catch(() => "left");
  }
  await expect.poll(() => waiting.length).toBe(4);
  expect((await fetch(`${url}/v1/quick`)).status).toBe(200);
});
