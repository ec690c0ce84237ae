import compress from "@fastify/compress";
import Fastify from "fastify";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { servePortal } from "#api/portal.ts";

const folder = mkdtempSync(join(tmpdir(), "portal-files-"));
const film = randomBytes(40_000);
const captions = `WEBVTT\n\n1\n00:00.000 --> 00:02.000\n${"A caption. ".repeat(200)}\n`;
mkdirSync(join(folder, "media"));
mkdirSync(join(folder, "assets"));
for (const [name, content] of [
  ["index.html", "<!doctype html><title>Portal</title>"],
  ["site.webmanifest", "{}"],
  [join("media", "film.mp4"), film],
  [join("media", "film.vtt"), captions],
  [join("assets", "main-12345678.js"), "export {};"],
] as const)
  writeFileSync(join(folder, name), content);

const app = Fastify();
await app.register(compress, { threshold: 1_024, encodings: ["gzip"] });
await servePortal(app, folder);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a film can be asked for in parts, so that a player can jump", async () => {
  const part = await get("/media/film.mp4", { range: "bytes=1000-1999", "accept-encoding": "gzip" });
  expect(part.statusCode).toBe(206);
  expect(part.headers["content-range"]).toBe("bytes 1000-1999/40000");
  expect(part.headers["content-type"]).toBe("video/mp4");
  expect(part.rawPayload.equals(film.subarray(1_000, 2_000))).toBe(true);
});

test("a whole film says that it can be asked for in parts, and is not packed again", async () => {
  const whole = await get("/media/film.mp4", { "accept-encoding": "gzip" });
  expect(whole.statusCode).toBe(200);
  expect(whole.headers["accept-ranges"]).toBe("bytes");
  expect(whole.headers["content-encoding"]).toBeUndefined();
  expect(whole.rawPayload.equals(film)).toBe(true);
});

test("a part beyond a film's end is refused with its length", async () => {
  const beyond = await get("/media/film.mp4", { range: "bytes=50000-" });
  expect(beyond.statusCode).toBe(416);
  expect(beyond.headers["content-range"]).toBe("bytes */40000");
});

test("captions and the manifest carry the types that browsers ask for", async () => {
  expect((await get("/media/film.vtt")).headers["content-type"]).toMatch(/^text\/vtt/);
  expect((await get("/site.webmanifest")).headers["content-type"]).toMatch(/^application\/manifest\+json/);
});

test("a picture that is not there is a 404, and no page", async () => {
  expect((await get("/media/nothing.webp")).statusCode).toBe(404);
  expect((await get("/my-account/")).headers["content-type"]).toMatch(/^text\/html/);
});

test("only files whose names carry a hash are kept for ever", async () => {
  expect((await get("/assets/main-12345678.js")).headers["cache-control"]).toContain("immutable");
  expect((await get("/media/film.mp4")).headers["cache-control"]).toBe("no-cache");
});
