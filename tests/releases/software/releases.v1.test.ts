import { expect, test } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("lists what Production has published to everyone, newest first, without withdrawn versions and other stages", async () => {
  expect((await app.rest("GET", "/v1/software/releases")).json).toEqual([]);
  await publishTestBuild(app, "7.1.0");
  await publishTestBuild(app, "7.2.0");
  await publishTestBuild(app, "7.3.0", { stage: 3 });
  const { id } = await publishTestBuild(app, "7.2.1");
  await app.context().em.nativeUpdate(SoftwareBuild, id, { withdrawnAt: app.clock.now() });
  const { status, json } = await app.rest("GET", "/v1/software/releases");
  expect(status).toBe(200);
  expect(json).toEqual([
    { version: "7.2.0", publishedAtUtc: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/) },
    { version: "7.1.0", publishedAtUtc: expect.stringMatching(/Z$/) },
  ]);
  expect(await app.call("softwareReleases { version }")).toEqual([{ version: "7.2.0" }, { version: "7.1.0" }]);
});
