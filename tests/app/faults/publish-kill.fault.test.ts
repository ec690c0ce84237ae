import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deleteOrphanedFiles } from "#api/releases/software/delete-orphaned-files.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { killAtOutput } from "#tests/support/programs.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
await publishTestBuild(app, "7.2.0", { content: "the installer" });
const { dataDir } = app.services.config;

test.each(["storing", "stored"])("publishes nothing if the process is killed at the point '%s'", async (point) => {
  const before = await listStoredKeys(app.services.files);
  const given = JSON.stringify({ database: app.database, dataDir, point });
  await killAtOutput("pause-publish", [given]);

  const [stray, ...others] = (await listStoredKeys(app.services.files)).filter((key) => !before.includes(key));
  expect(others).toEqual([]);
  expect(await app.context().em.count(SoftwareBuild)).toBe(1);
  expect((await app.rest("GET", "/v1/software/update?version=7.2.0")).status).toBe(204);
  expect((await app.rest("GET", "/software/production/setup.exe")).text).toBe("the installer");

  const daysAgo = performance.timeOrigin / 1_000 - 2 * 86_400;
  utimesSync(join(dataDir, "files", stray ?? ""), daysAgo, daysAgo);
  expect(await deleteOrphanedFiles.run(app.context())).toBe(1);
  expect(await listStoredKeys(app.services.files)).toEqual(before);
});

test("publishes a version whose earlier publication was interrupted", async () => {
  await publishTestBuild(app, "7.3.0");
  expect((await app.rest("GET", "/v1/software/update?version=7.2.0")).json.version).toBe("7.3.0");
});
