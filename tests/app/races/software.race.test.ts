import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createContext } from "#api/platform/context.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { promoteSoftware } from "#api/releases/software/change-draft.ts";
import { publishSoftware, rollBackSoftware, withdrawSoftware } from "#api/releases/software/change-offer.ts";
import { findOfferedBuild } from "#api/releases/software/find-build.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { SoftwareBuild, SoftwareChannel } from "#api/releases/software/software-build.entity.ts";
import { deleteDraft } from "#api/releases/software/software-build.resolver.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { settle } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const other = await openSecondProcess(app);

const otherProcess = { context: () => createContext(other) };

test("publishes one of many builds of a version that are published concurrently in a new stage, and keeps the others as drafts", async () => {
  const outcomes = await atOnce(12, (index) =>
    settle(() => publishTestBuild(index % 2 ? app : otherProcess, "7.2.0", { stage: 2 })),
  );
  expect(outcomes.toSorted()).toEqual([...Array(11).fill("BAD_USER_INPUT"), "done"]);
  expect(await app.context().em.count(SoftwareBuild, { publishedAt: { $ne: null } })).toBe(1);
  const builds = await app.context().em.count(SoftwareBuild);
  expect(await listStoredKeys(app.services.files)).toHaveLength(builds);
});

test("keeps the highest version as the latest, and the minimum at or below it, whatever the order of publication", async () => {
  // Use higher versions than the previous test.
  const versions = ["8.1", "8.5", "8.2", "8.4", "8.3"];
  await Promise.allSettled([
    ...versions.map((version, index) => publishTestBuild(index % 2 ? app : otherProcess, version, { stage: 2 })),
    ...versions.map((version) => setMinimumVersion(app.context(), 2, version)),
  ]);
  const channel = await app.context().em.findOneOrFail(SoftwareChannel, { stage: 2 }, { populate: ["build"] });
  expect([channel.build?.version, channel.latestVersion]).toEqual(["8.5", [8, 5, 0, 0]]);
  const [major = 0, minor = 0] = channel.minimumVersion ?? [];
  expect(major * 10 + minor).toBeLessThanOrEqual(85);
});

/** Alternates between the two processes. */
const createContextFor = (index: number) => (index % 2 ? app.context() : createContext(other));
const findOfferedVersion = async (stage: number) => (await findOfferedBuild(app.context(), stage))?.version;
const publishAll = async (stage: number, versions: string[]) => {
  const builds: SoftwareBuild[] = [];
  for (const version of versions) builds.push(await publishTestBuild(app, version, { stage }));
  return builds;
};

test("rolls a build back once for twelve concurrent requests", async () => {
  const builds = await publishAll(4, ["1.0", "1.1", "1.2", "1.3"]);
  const outcomes = await atOnce(12, (index) =>
    settle(() => rollBackSoftware(createContextFor(index), 4, builds[3]?.id ?? "")),
  );
  expect(outcomes.toSorted()).toEqual([...Array(11).fill("CONFLICT"), "done"]);
  expect(await findOfferedVersion(4)).toBe("1.2");
});

test("leaves a valid offer after concurrent publishing, roll-backs, withdrawals and minimum changes", async () => {
  const stage = 4;
  for (let round = 0; round < ROUNDS.of5; round++) {
    const builds = await publishAll(stage, [`${round + 2}.0`, `${round + 2}.1`, `${round + 2}.2`]);
    const [low, middle, high] = builds.map(({ id }) => id) as [string, string, string];
    const outcomes = await Promise.all([
      settle(() => rollBackSoftware(createContextFor(0), stage, high)),
      settle(() => withdrawSoftware(createContextFor(1), high)),
      settle(() => publishSoftware(createContextFor(2), middle)),
      settle(() => setMinimumVersion(createContextFor(3), stage, `${round + 2}.1`)),
      settle(() => withdrawSoftware(createContextFor(4), middle)),
      settle(() => publishSoftware(createContextFor(5), low)),
      settle(() => rollBackSoftware(createContextFor(6), stage, high)),
    ]);
    for (const code of outcomes) expect(["done", "CONFLICT", "UNPROCESSABLE", "BAD_USER_INPUT"]).toContain(code);
    const channel = await app.context().em.findOneOrFail(SoftwareChannel, { stage }, { populate: ["build"] });
    const { build, latestVersion, minimumVersion } = channel;
    // The offered build was not withdrawn, is the version that licence checks compare with, and isn't below the minimum.
    expect(build?.withdrawnAt ?? null).toBeNull();
    expect(latestVersion).toEqual(build?.versionParts ?? null);
    if (minimumVersion)
      expect((latestVersion?.[0] ?? 0) * 10 + (latestVersion?.[1] ?? 0)).toBeGreaterThanOrEqual(
        (minimumVersion[0] ?? 0) * 10 + (minimumVersion[1] ?? 0),
      );
    await setMinimumVersion(app.context(), stage, null);
  }
});

test("keeps no copy of a build that is withdrawn while its files are copied", async () => {
  const [build] = await publishAll(4, ["90.0"]);
  const { id = "" } = build ?? {};
  const context = createContextFor(0);
  const files: typeof context.files = {
    ...context.files,
    put: async (...given) => {
      await withdrawSoftware(createContextFor(1), id);
      return context.files.put(...given);
    },
  };
  await expect(promoteSoftware({ ...context, em: context.em, files }, id, 3)).rejects.toMatchObject({
    code: "UNPROCESSABLE",
  });
  expect(await app.context().em.count(SoftwareBuild, { stage: 3, version: "90.0" })).toBe(0);
});

test("either publishes or deletes a draft if both are requested at the same time", async () => {
  for (let round = 1; round < ROUNDS.of5; round++) {
    const installer = async () => Readable.from(["an installer"]);
    const given = { stage: 3, version: `${round}.0`, fileName: "Setup.exe" };
    const { id } = await addBuild(app.context(), given, installer);
    const [published, deleted] = await Promise.all([
      settle(() => publishSoftware(createContextFor(0), id)),
      settle(() => deleteDraft(createContextFor(1), id)),
    ]);
    expect(published === "done").not.toBe(deleted === "done");
    const exists = (await app.context().em.count(SoftwareBuild, { id })) === 1;
    expect(exists).toBe(published === "done");
    expect((await findOfferedVersion(3)) === `${round}.0`).toBe(exists);
  }
});
