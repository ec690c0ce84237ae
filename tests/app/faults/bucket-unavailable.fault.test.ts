import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeEach, expect, test } from "vitest";
import { otherChecks } from "#api/app/doctor/other-checks.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { deleteOrphanedFiles } from "#api/releases/software/delete-orphaned-files.ts";
import { bucketTimeouts } from "#api/platform/files/bucket-files.ts";
import { buildUsersCsv, loadRun, upload } from "#tests/factories/bulk.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { createSignedInAdmin } from "#tests/factories/user.ts";
import { startTestBucket } from "#tests/support/bucket.ts";
import { startTcpProxy } from "#tests/support/tcp-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";

Object.assign(bucketTimeouts, { connectMs: 1_000, answerMs: 2_000, pieceMs: 1_000 });
const bucket = await startTestBucket();
const proxy = await startTcpProxy({ port: bucket.port });
const app = await startTestApp({ bucket: { ...bucket.settings, endpoint: `http://127.0.0.1:${proxy.port}` } });
const size = 300_000;
const build = await publishTestBuild(app, "7.2.0", { content: "x".repeat(size) });
const setup = "/software/production/setup.exe";

beforeEach(() => {
  proxy.set("pass");
  bucket.answerWith(null);
});

const downloadLength = async () => (await app.rest("GET", setup)).text.length;

test("serves whole builds, ranges and 304 responses from a bucket", async () => {
  expect(await downloadLength()).toBe(size);
  const part = await app.rest("GET", setup, { headers: { range: "bytes=10-19" } });
  expect([part.status, part.text]).toEqual([206, "xxxxxxxxxx"]);
  expect((await app.rest("GET", setup, { headers: { "if-none-match": `"${build.sha256}"` } })).status).toBe(304);
});

test.each([
  ["refuses connections", () => proxy.set("refuse")],
  ["hangs", () => proxy.set("hang")],
  ["responds with 503", () => bucket.answerWith(503)],
  ["responds with 403", () => bucket.answerWith(403)],
])("answers only downloads with 503, within 3 s, while the bucket %s, and recovers", async (_, disturb) => {
  expect(await downloadLength()).toBe(size);
  disturb();
  const startedAt = performance.now();
  const answer = await app.rest("GET", setup);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("etag")]).toEqual([503, "5", null]);
  expect(answer.headers.get("cache-control") ?? "").not.toContain("max-age");
  expect(answer.text).not.toMatch(/127\.0\.0\.1|S3RVER|builds/);
  // The process stays ready, because licence checks don't need the bucket.
  expect((await app.rest("GET", "/health/ready")).status).toBe(200);
  expect((await app.rest("GET", "/v1/software/update?stage=4&version=7.0")).json.version).toBe("7.2.0");
  expect((await app.rest("GET", setup, { headers: { "if-none-match": `"${build.sha256}"` } })).status).toBe(304);
  proxy.set("pass");
  bucket.answerWith(null);
  expect(await downloadLength()).toBe(size);
});

test("aborts a download when the bucket stops sending but not when the client pauses", async () => {
  const big = 40_000_000;
  const { storageKey } = await publishTestBuild(app, "7.3.0", { stage: 3, content: "x".repeat(big) });
  const start = async () => {
    return ((await once(request(`${app.url}/software/beta/setup.exe`).end(), "response")) as [IncomingMessage])[0];
  };
  const paused = await start();
  // Pause for longer than the bucket is allowed to stay silent.
  await new Promise((resolve) => setTimeout(resolve, 2 * bucketTimeouts.pieceMs));
  expect((await buffer(paused)).length).toBe(big);

  const cut = await start();
  const read = (await app.services.files.open(storageKey)) as Readable;
  proxy.set("hang");
  await Promise.all([
    expect(buffer(cut)).rejects.toThrow("aborted"),
    expect(buffer(read)).rejects.toMatchObject({ code: "UNAVAILABLE" }),
  ]);
}, 30_000);

test("checks an uploaded file when the bucket is back", async () => {
  const { token } = await createSignedInAdmin(app);
  const { json: id } = await upload(app, token, "kind=import-users&fileName=users.csv", buildUsersCsv(1));
  proxy.set("refuse");
  await app.services.jobs.drain();
  expect(await loadRun(app, id)).toMatchObject({ state: "checking", faults: [] });
  proxy.set("pass");
  await app.services.jobs.drain({ delayed: true });
  expect(await loadRun(app, id)).toMatchObject({ state: "ready" });
});

test("doctor says why files can't be stored", async () => {
  proxy.set("refuse");
  const finding = await otherChecks.files?.(app.services.config);
  expect(finding?.message).toMatch(/^Files can't be stored: The bucket can't be used: \w+: \w/);
});

test("leaves no trace of a build that could not be stored", async () => {
  const before = await listStoredKeys(app.services.files);
  const kept = bucket.onDisk().length;
  const adding = addBuild(app.context(), { stage: 4, version: "7.4.0", fileName: "Setup.exe" }, async () =>
    Readable.from(
      (async function* andThen() {
        for (let part = 0; part < 12; part++) {
          if (part === 8) bucket.answerWith(503);
          yield Buffer.alloc(1_000_000, "x");
        }
      })(),
    ),
  );
  await expect(adding).rejects.toMatchObject({ code: "UNAVAILABLE" });
  bucket.answerWith(null);
  expect(await listStoredKeys(app.services.files)).toEqual(before);
  expect((await app.services.pool.query("select from software_builds where version = '7.4.0'")).rows).toEqual([]);
  expect(bucket.onDisk().length - kept).toBeLessThanOrEqual(2);
}, 30_000);

test("deletes orphaned files in the bucket after a day and keeps the files of builds", async () => {
  const { files } = app.services;
  await files.put("software/stray/installer", Readable.from(["stray"]));
  expect(await deleteOrphanedFiles.run(app.context())).toBe(0);
  for (const key of ["software/stray/installer", build.storageKey]) bucket.makeOld(key);
  expect(await deleteOrphanedFiles.run(app.context())).toBe(1);
  expect(await listStoredKeys(files)).toContain(build.storageKey);
  expect(await files.stat("software/stray/installer")).toBeNull();
});
