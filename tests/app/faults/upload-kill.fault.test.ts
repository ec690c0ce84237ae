import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deleteOrphanedFiles } from "#api/releases/software/delete-orphaned-files.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { listSpooledFiles, useOwnTemporaryFolder } from "#tests/factories/software-upload.ts";
import { killAtOutput } from "#tests/support/programs.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
await publishTestBuild(app, "7.2.0", { content: "the installer" });
const { dataDir } = app.services.config;

test.each([
  ["spooled", 0],
  ["storing", 2],
])("creates no build if an upload is killed (%s), and deletes its files after a day", async (point, storedFiles) => {
  const before = await listStoredKeys(app.services.files);
  const given = JSON.stringify({ database: app.database, dataDir, point });
  await killAtOutput("pause-upload", [given]);

  const strays = (await listStoredKeys(app.services.files)).filter((key) => !before.includes(key));
  expect(strays).toHaveLength(storedFiles);
  const [spool, ...others] = listSpooledFiles(app);
  expect(others).toEqual([]);
  expect(readdirSync(join(dataDir, "uploads", spool ?? ""))).toHaveLength(3);
  expect(await app.context().em.count(SoftwareBuild)).toBe(1);
  expect((await app.rest("GET", "/software/production/setup.exe")).text).toBe("the installer");
  expect(await deleteOrphanedFiles.run(app.context())).toBe(0);

  const daysAgo = performance.timeOrigin / 1_000 - 2 * 86_400;
  for (const path of [join("uploads", spool ?? ""), ...strays.map((key) => join("files", key))])
    utimesSync(join(dataDir, path), daysAgo, daysAgo);
  expect(await deleteOrphanedFiles.run(app.context())).toBe(1 + storedFiles);
  expect(listSpooledFiles(app)).toEqual([]);
  expect(await listStoredKeys(app.services.files)).toEqual(before);
});
