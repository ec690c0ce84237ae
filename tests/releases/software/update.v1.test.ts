import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const checkUpdate = (query: string) => app.rest("GET", `/v1/software/update${query}`);

const listReleases = () => app.rest("GET", "/v1/software/releases");

test("responds with 204 if nothing is published", async () => {
  expect((await listReleases()).json).toEqual([]);
  const answer = await checkUpdate("?stage=6&version=1.0");
  expect([answer.status, answer.text, answer.headers.get("cache-control")]).toEqual([204, "", "no-store"]);
});

test("returns the newest version, its URL and checksum for an older version", async () => {
  await publishTestBuild(app, "7.1.0");
  await publishTestBuild(app, "7.2.0", { content: "the installer" });
  const { status, json } = await checkUpdate("?stage=4&version=7.1.0");
  expect(status).toBe(200);
  expect(json).toEqual({
    version: "7.2.0",
    url: "http://portal.test/software/production/7.2.0/Planvarro-Setup-7.2.0.exe",
    sha256: createHash("sha256").update("the installer").digest("hex"),
    proof: expect.any(String),
  });
  const file = await app.rest("GET", new URL(json.url).pathname);
  expect(file.text).toBe("the installer");
});

test("offers an update only for an older version, of Production if the stage is missing", async () => {
  expect((await checkUpdate("?version=7.0")).json.version).toBe("7.2.0");
  for (const version of ["7.2.0", "7.2.0-beta.1", "7.10"])
    expect((await checkUpdate(`?stage=4&version=${version}`)).status, version).toBe(204);
  for (const version of ["0", "7.1.0-rc.2", "6.99"])
    expect((await checkUpdate(`?stage=4&version=${version}`)).json.version, version).toBe("7.2.0");
});

test("offers only builds in the requested stage", async () => {
  await publishTestBuild(app, "7.3.0", { stage: 3 });
  const expected = { version: "7.3.0", url: "http://portal.test/software/beta/7.3.0/Planvarro-Setup-7.3.0.exe" };
  expect((await checkUpdate("?stage=3&version=7.2.0")).json).toMatchObject(expected);
  expect((await checkUpdate("?stage=4&version=7.2.0")).status).toBe(204);
  expect((await checkUpdate("?stage=2&version=1")).status).toBe(204);
});

test("lists what Production has published to everyone, newest first, without withdrawn versions and other stages", async () => {
  const { id } = await publishTestBuild(app, "7.2.1");
  await app.context().em.nativeUpdate(SoftwareBuild, id, { withdrawnAt: app.clock.now() });
  const { status, json } = await listReleases();
  expect(status).toBe(200);
  expect(json).toEqual([
    { version: "7.2.0", publishedAtUtc: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/) },
    { version: "7.1.0", publishedAtUtc: expect.stringMatching(/Z$/) },
  ]);
  expect(await app.call("softwareReleases { version }")).toEqual([{ version: "7.2.0" }, { version: "7.1.0" }]);
});

test.each([
  ["", ["version"]],
  ["?stage=4", ["version"]],
  ["?version=", ["version"]],
  ["?version=99999", ["version"]],
  [`?version=${"1".repeat(5_000)}`, ["version"]],
  ["?version=7.2%00", ["version"]],
  ["?version=7.2&version=7.3", ["version"]],
  ["?stage=0&version=7.2", ["stage"]],
  ["?stage=4.5&version=7.2", ["stage"]],
  ["?stage=production&version=7.2", ["stage"]],
  ["?stage=4&stage=3&version=7.2", ["stage"]],
  ["?stage[$ne]=4&version=7.2", []],
  ["?__proto__[stage]=3&version=7.2", []],
])("rejects %s and names the field", async (query, fields) => {
  const { status, json } = await checkUpdate(query);
  if (fields.length === 0) return expect([200, 204]).toContain(status);
  expect(status).toBe(400);
  expect(Object.keys(json)).toEqual(fields);
  for (const sentences of Object.values(json as Record<string, string[]>))
    for (const sentence of sentences) expect(sentence).toMatch(/^(Version|Software stage|Must|Contains).*\.$/);
});
