import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import process from "node:process";
import { expect, test } from "vitest";
import { idleLimits } from "#api/platform/http/idle-connection.ts";
import { brand } from "#schema/brand.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { getRaw } from "#tests/support/get-raw.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const content = "0123456789".repeat(20_000);
const build = await publishTestBuild(app, "7.2.0", { content });
const current = brand.installerPath;
const exact = "/software/production/7.2.0/Planvarro-Setup-7.2.0.exe";
const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
const get = (path: string, headers: Record<string, string> = {}, method = "GET") => app.rest(method, path, { headers });

test.each([
  [current, "public, no-cache"],
  [exact, "public, max-age=3600"],
])("serves the installer at %s as an attachment with its own file name, cached as %s", async (path, cacheControl) => {
  const { status, headers, text } = await get(path, { "accept-encoding": "gzip, br" });
  expect([status, text]).toEqual([200, content]);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/vnd.microsoft.portable-executable",
    "content-disposition": 'attachment; filename="Planvarro-Setup-7.2.0.exe"',
    "cache-control": cacheControl,
    "content-length": "200000",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "last-modified": build.publishedAt?.toUTCString(),
    etag,
  });
  expect(headers.get("content-encoding")).toBeNull();
});

test("responds to HEAD with the same headers and no body", async () => {
  const answer = await get(current, {}, "HEAD");
  expect([answer.status, answer.text, answer.headers.get("content-length"), answer.headers.get("etag")]).toEqual([
    200,
    "",
    "200000",
    etag,
  ]);
  expect((await get("/software/production/7.9/x.exe", {}, "HEAD")).status).toBe(404);
});

test("responds with 304 if the client has the file", async () => {
  for (const known of [etag, `"other", W/${etag}`, "*"]) {
    const answer = await get(current, { "if-none-match": known });
    expect([answer.status, answer.text]).toEqual([304, ""]);
  }
  expect((await get(current, { "if-none-match": '"other"' })).status).toBe(200);
});

test.each([
  ["bytes=0-9", 206, "0123456789", "bytes 0-9/200000"],
  ["bytes=199995-", 206, "56789", "bytes 199995-199999/200000"],
  ["bytes=-3", 206, "789", "bytes 199997-199999/200000"],
  ["bytes=200000-", 416, "", "bytes */200000"],
])("responds to a request for %s with %i", async (range, expected, part, contentRange) => {
  const { status, text, headers } = await get(exact, { range, "accept-encoding": "gzip" });
  expect([status, text, headers.get("content-range")]).toEqual([expected, part, contentRange]);
  expect(headers.get("content-length")).toBe(String(part.length));
});

test("doesn't resume a download of another version", async () => {
  expect((await get(current, { range: "bytes=5-9", "if-range": etag })).status).toBe(206);
  for (const ifRange of ['"other"', "Sat, 01 Jan 2022 00:00:00 GMT"]) {
    const answer = await get(current, { range: "bytes=5-9", "if-range": ifRange });
    expect([answer.status, answer.text.length]).toEqual([200, content.length]);
  }
  expect((await get(current, { range: "bytes=0-4,8-9" })).text).toBe(content);
});

test("serves the newer build at the stage's URL and the older one at its own", async () => {
  await publishTestBuild(app, "2.0", { stage: 2, content: "old" });
  await publishTestBuild(app, "2.1", { stage: 2, content: "new" });
  expect((await get("/software/alpha/setup.exe")).text).toBe("new");
  expect((await get("/software/alpha/2.0/Planvarro-Setup-2.0.exe")).text).toBe("old");
});

/** Returns the number of build files that this process has open. */
function countOpenFiles(): number {
  const builds = join(app.services.config.dataDir, "files");
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(builds);
    } catch {
      return false;
    }
  }).length;
}

test.runIf(process.platform === "linux")("closes the file of a client that stops reading", async () => {
  await publishTestBuild(app, "8.0", { stage: 1, content: "x".repeat(40_000_000) });
  const { answerMs } = idleLimits;
  idleLimits.answerMs = 200;
  try {
    const download = request(`${app.url}/software/production-xt101/setup.exe`).end();
    const [answer] = (await once(download, "response")) as [IncomingMessage];
    expect(countOpenFiles()).toBe(1);
    await expect.poll(countOpenFiles, { timeout: 5_000 }).toBe(0);
    answer.on("error", () => {}).destroy();
  } finally {
    idleLimits.answerMs = answerMs;
  }
});

test.runIf(process.platform === "linux")(
  "reads a large file only as it is sent and closes it when the client disconnects",
  async () => {
    await publishTestBuild(app, "9.0", { stage: 1, content: "x".repeat(40_000_000) });
    const path = "/software/production-xt101/setup.exe";
    const whole = await get(path);
    expect(whole.text).toHaveLength(40_000_000);
    const readers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const download = request(app.url + path).end();
        const [answer] = (await once(download, "response")) as [IncomingMessage];
        return answer;
      }),
    );
    // No client reads the content, so the files stay open.
    expect(countOpenFiles()).toBe(10);
    for (const one of readers) one.destroy();
    await expect.poll(countOpenFiles, { timeout: 5_000 }).toBe(0);
    await get(path, {}, "HEAD");
    await get(path, { "if-none-match": whole.headers.get("etag") ?? "" });
    expect(countOpenFiles()).toBe(0);
  },
);

// Files outside the builds, for path traversal attempts.
writeFileSync(join(app.services.config.dataDir, "files", "software", "secret.txt"), "secret");
writeFileSync(join(app.services.config.dataDir, "secret.txt"), "secret");

test.each([
  "/software",
  "/software/production",
  "/software/production/7.2.0",
  "/software/4/setup.exe",
  "/software/beta/setup.exe",
  "/software/__proto__/setup.exe",
  "/software/production/7.2.0-beta/Planvarro-Setup-7.2.0.exe",
  "/software/production/7.2.0/planvarro-setup-7.2.0.exe",
  "/software/production/7.2.0/..%2f..%2fsecret.txt",
  "/software/production/%2e%2e%2f%2e%2e%2fsecret.txt",
  "/software/../secret.txt",
  "/software/production/7.2.0/..%5c..%5csecret.txt",
  "/software/production/7.2.0/%00",
  "/software/production/7.2.0/Planvarro-Setup-7.2.0.exe%00",
  "/software/production/99999999999/x.exe",
  `/software/production/7.2.0/${"x".repeat(250)}`,
  `/software/${build.storageKey.replace("software/", "")}`,
])("responds to %s with 404 in JSON and no secret", async (path) => {
  const { status, text, type } = await getRaw(app.url, path);
  expect(status).toBe(404);
  expect(type).toContain("application/json");
  expect(text).toBe('"Sorry, we could not find what you asked for."');
});

test.each([
  ["a broken escape", "%zz"],
  ["a very long name", "x".repeat(2_000)],
])("rejects %s with a 4xx error", async (_, name) => {
  const { status, text, type } = await getRaw(app.url, `/software/production/7.2.0/${name}`);
  expect(Math.trunc(status / 100)).toBe(4);
  expect(type).toContain("application/json");
  expect(text).not.toMatch(/secret|node_modules/);
});

test("responds with 503 and no path if the file of a published build is missing", async () => {
  const lost = await publishTestBuild(app, "1.0", { stage: 6 });
  await app.services.files.delete(lost.storageKey);
  const { status, json, text, headers } = await get("/software/special-xt223/setup.exe");
  expect(status).toBe(503);
  expect(json).toHaveProperty("requestId");
  expect(text).not.toMatch(/installer|files|\.data/);
  expect(headers.get("content-type")).toContain("application/json");
});
