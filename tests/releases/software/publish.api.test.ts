import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { deleteOrphanedFiles } from "#api/releases/software/delete-orphaned-files.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { softwareStages } from "#schema/software.ts";
import { findLabel, listValues, toCode } from "#schema/closed-list.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));

const listChannels = (): Promise<{ stage: string; label: string; minimumVersion: string; latestVersion: string }[]> =>
  app.call("softwareChannels { stage label latestVersion minimumVersion publishedAt sizeBytes sha256 }", {}, admin);
const getProduction = async () => (await listChannels()).find(({ stage }) => stage === "PRODUCTION");
const setMinimum = (version?: string | null, stage = "PRODUCTION") =>
  app.call("setMinimumAddInVersion { stage latestVersion minimumVersion }", { stage, version }, admin);
const getInstaller = (token: string) => app.call("installer { version url fileName sizeBytes sha256 }", {}, token);

test("returns empty stages and no installer before anything is published", async () => {
  const channels = await listChannels();
  const stages = listValues(softwareStages).map((stage) => [
    toCode(softwareStages, stage),
    findLabel(softwareStages, stage),
  ]);
  expect(channels.map(({ stage, label }) => [stage, label])).toEqual(stages);
  expect(channels[0]).toMatchObject({ latestVersion: null, minimumVersion: null, sha256: null });
  expect(await getInstaller(admin)).toBeNull();
});

test("offers a published build of the stage to signed-in customers", async () => {
  const build = await publishTestBuild(app, "7.2.0", { content: "twelve bytes" });
  expect(await getProduction()).toEqual({
    stage: "PRODUCTION",
    label: "Production",
    latestVersion: "7.2.0",
    minimumVersion: null,
    publishedAt: build.publishedAt?.toISOString(),
    sizeBytes: 12,
    sha256: build.sha256,
  });
  for (const user of [await createUser(app), await createCorporateUser(app)])
    expect(await getInstaller(await signInAs(app, user))).toEqual({
      version: "7.2.0",
      url: "http://portal.test/software/production/7.2.0/Planvarro-Setup-7.2.0.exe",
      fileName: "Planvarro-Setup-7.2.0.exe",
      sizeBytes: 12,
      sha256: build.sha256,
    });
});

test.each(["7.2.0", "7.2", "7.1.9", "7.2.0.0"])("doesn't publish %s, which isn't above 7.2.0", async (version) => {
  const before = await listStoredKeys(app.services.files);
  await expect(publishTestBuild(app, version)).rejects.toMatchObject({
    code: "BAD_USER_INPUT",
    fields: { version: ["Version must be above 7.2.0, the latest version of this stage."] },
  });
  expect(await listStoredKeys(app.services.files)).toEqual(before);
  expect((await getProduction())?.latestVersion).toBe("7.2.0");
});

test.each([
  ["7.2.0-beta", {}, "version"],
  ["7.2.0.1.5", {}, "version"],
  ["7.70000", {}, "version"],
  ["8.0", { stage: 9 }, "stage"],
  ["8.0", { fileName: "setup.zip" }, "fileName"],
  ["8.0", { fileName: "../setup.exe" }, "fileName"],
  ["8.0", { fileName: 'a"b.exe' }, "fileName"],
  ["8.0", { fileName: "a..exe" }, "fileName"],
  ["8.0", { fileName: ".exe" }, "fileName"],
  ["8.0", { fileName: "a\r\nb.exe" }, "fileName"],
  ["8.0", { fileName: `${"a".repeat(100)}.exe` }, "fileName"],
  ["8.0", { content: "" }, "installationFile"],
])("rejects version %j with %o and stores no file", async (version, changes, field) => {
  const before = await listStoredKeys(app.services.files);
  const expected = { code: "BAD_USER_INPUT", fields: { [field]: expect.arrayContaining([expect.any(String)]) } };
  await expect(publishTestBuild(app, version, changes)).rejects.toMatchObject(expected);
  expect(await listStoredKeys(app.services.files)).toEqual(before);
});

test("sets and removes the minimum version", async () => {
  const set = { stage: "PRODUCTION", latestVersion: "7.2.0", minimumVersion: "7.1.0" };
  expect(await setMinimum("7.1")).toEqual(set);
  const { rows } = await app.services.pool.query(
    "select latest_version, minimum_version, minimum_version < latest_version as below from software_channels where stage = 4",
  );
  expect(rows).toEqual([{ latest_version: [7, 2, 0, 0], minimum_version: [7, 1, 0, 0], below: true }]);
  await setMinimum("7.2.0");
  expect((await getProduction())?.minimumVersion).toBe("7.2.0");
  for (const version of [null, undefined, ""]) {
    await setMinimum("7.1");
    expect((await setMinimum(version)).minimumVersion).toBeNull();
  }
  // A stage without builds has none to remove.
  expect(await setMinimum(null, "ALPHA")).toEqual({ stage: "ALPHA", latestVersion: null, minimumVersion: null });
});

test.each([
  ["PRODUCTION", "7.2.0.1", "version", "Version must not be above 7.2.0, the latest version of this stage."],
  ["ALPHA", "1.0", "stage", "Set the minimum version in Production. It applies to every stage."],
  ["PRODUCTION", "7.2-beta", "version", "Version must be one to four numbers separated by dots, such as 7.2.0."],
  ["PRODUCTION", "70000", "version", "Each number of a version must be at most 65535."],
])("for stage %s, rejects the minimum version %s", async (stage, version, field, sentence) => {
  const refusal = { code: "BAD_USER_INPUT", fields: { [field]: [sentence] } };
  await expect(setMinimum(version, stage)).rejects.toMatchObject(refusal);
  expect((await getProduction())?.minimumVersion).toBeNull();
});

test("rejects a minimum above the version that another stage offers, and names that stage", async () => {
  const { id } = await publishTestBuild(app, "7.1.0", { stage: 3 });
  const version = [
    "Version must not be above 7.1.0, which Beta offers. Publish a newer build in Beta or withdraw that one first.",
  ];
  await expect(setMinimum("7.1.1")).rejects.toMatchObject({ fields: { version } });
  await app.call("withdrawSoftware { id }", { buildId: id }, admin);
  await setMinimum("7.1.1");
  await setMinimum(null);
});

test("deletes orphaned files after a day and keeps files of builds", async () => {
  const { files, config } = app.services;
  const orphan = await publishTestBuild(app, "1.0", { stage: 5 });
  await app.services.pool.query("delete from software_channels where stage = 5");
  await app.services.pool.query("delete from software_builds where id = $1", [orphan.id]);
  const kept = await app.context().em.findOneOrFail(SoftwareBuild, { stage: 4 });
  const run = () => deleteOrphanedFiles.run(app.context());
  expect(await run()).toBe(0);
  const daysAgo = performance.timeOrigin / 1_000 - 2 * 86_400;
  const foreign = join("software", "READ ME.txt");
  writeFileSync(join(config.dataDir, "files", foreign), "added manually");
  for (const key of [orphan.storageKey, kept.storageKey, foreign])
    utimesSync(join(config.dataDir, "files", key), daysAgo, daysAgo);
  expect([await run(), await files.stat(orphan.storageKey)]).toEqual([1, null]);
  expect(await files.stat(kept.storageKey)).toEqual({ sizeBytes: kept.sizeBytes });
});

test("deletes no files if the database seems to belong to other files", async () => {
  const daysAgo = new Date(performance.timeOrigin - 2 * DAY);
  const deleted: string[] = [];
  const listing = (count: number, known: readonly string[]) => ({
    ...app.services,
    em: app.context().em,
    actor: null,
    origin: app.context().origin,
    pool: {
      // The comparison of the clocks is the only named statement.
      query: async (statement: string | { name: string; text: string }) =>
        typeof statement === "string"
          ? { rows: known.map((storage_key) => ({ storage_key })) }
          : app.services.pool.query(statement),
    } as never,
    files: {
      ...app.services.files,
      async *list() {
        for (let index = 1; index <= count; index++) yield { key: `software/${index}`, writtenAt: daysAgo };
      },
      delete: async (key: string) => {
        if (key === "software/2") throw new Error("unreachable");
        deleted.push(key);
      },
    },
  });
  expect(await deleteOrphanedFiles.run(listing(1, []))).toBe(0);
  const known = Array.from({ length: 20 }, (_, at) => `software/${at + 1}`);
  expect(await deleteOrphanedFiles.run(listing(42, known))).toBe(0);
  expect(deleted).toEqual([]);
  expect(await deleteOrphanedFiles.run(listing(4, ["software/1"]))).toBe(2);
  expect(deleted).toEqual(["software/3", "software/4"]);
});
