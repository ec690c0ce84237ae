import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const checkUpdate = (query: string) => app.rest("GET", `/v1/software/update${query}`);

async function withdraw(build: SoftwareBuild): Promise<void> {
  const { em } = app.context();
  await em.nativeUpdate(SoftwareBuild, build.id, { withdrawnAt: app.clock.now() });
}

test("responds with 204 if nothing is published", async () => {
  const answer = await checkUpdate("?stage=6&version=1.0");
  expect(answer.status).toBe(204);
  expect(answer.text).toBe("");
  expect(answer.headers.get("cache-control")).toBe("no-store");
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

test.each(["7.2.0", "7.2", "7.2.0.0", "7.2.0-beta.1", "7.2.0.1", "7.10", "8", "65535.65535"])(
  "responds with 204 for %s, which isn't older",
  async (version) => {
    expect((await checkUpdate(`?stage=4&version=${version}`)).status).toBe(204);
  },
);

test.each(["0", "7.1.9", "7.1.65535.65535", "7.1.0-rc.2", "6.99"])("offers an update for %s", async (version) => {
  expect((await checkUpdate(`?stage=4&version=${version}`)).json.version).toBe("7.2.0");
});

test("uses Production if the stage is missing", async () => {
  expect((await checkUpdate("?version=7.0")).json.version).toBe("7.2.0");
});

test("offers only builds in the requested stage", async () => {
  await publishTestBuild(app, "7.3.0", { stage: 3 });
  expect((await checkUpdate("?stage=3&version=7.2.0")).json).toMatchObject({
    version: "7.3.0",
    url: "http://portal.test/software/beta/7.3.0/Planvarro-Setup-7.3.0.exe",
  });
  expect((await checkUpdate("?stage=4&version=7.2.0")).status).toBe(204);
  expect((await checkUpdate("?stage=2&version=1")).status).toBe(204);
});

test("doesn't offer a withdrawn build", async () => {
  await withdraw(await publishTestBuild(app, "1.5", { stage: 5 }));
  expect((await checkUpdate("?stage=5&version=1.0")).status).toBe(204);
});

test.each([
  ["", ["version"]],
  ["?stage=4", ["version"]],
  ["?version=", ["version"]],
  ["?version=beta", ["version"]],
  ["?version=7.2.0.1.5", ["version"]],
  ["?version=99999", ["version"]],
  ["?version=99999999999999999999", ["version"]],
  [`?version=${"1".repeat(5_000)}`, ["version"]],
  ["?version=7.2%00", ["version"]],
  ["?version=7.2%0d%0aX-Evil:1", ["version"]],
  ["?version=7.2&version=7.3", ["version"]],
  ["?version[a]=7.2", ["version"]],
  ["?stage=0&version=7.2", ["stage"]],
  ["?stage=7&version=7.2", ["stage"]],
  ["?stage=4.5&version=7.2", ["stage"]],
  ["?stage=-4&version=7.2", ["stage"]],
  ["?stage=&version=7.2", ["stage"]],
  ["?stage=production&version=7.2", ["stage"]],
  ["?stage=1e400&version=7.2", ["stage"]],
  ["?stage=4&stage=3&version=7.2", ["stage"]],
  ["?stage=99&version=x'%20or%201=1", ["stage"]],
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
