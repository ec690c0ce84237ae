import { expect, test } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { SoftwareChannel } from "#api/releases/software/software-channel.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const other = await openSecondProcess(app);
const otherProcess = { context: () => createContext(other) };

test("publishes one of many builds of a version that are published concurrently in a new stage, and keeps the others as drafts", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => publishTestBuild(index % 2 ? app : otherProcess, "7.2.0")),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "BAD_USER_INPUT" });
  expect(await app.context().em.count(SoftwareBuild, { publishedAt: { $ne: null } })).toBe(1);
  const builds = await app.context().em.count(SoftwareBuild);
  expect(await listStoredKeys(app.services.files)).toHaveLength(builds);
});

test("keeps the highest version as the latest, and the minimum at or below it, whatever the order of publication", async () => {
  // Use higher versions than the previous test.
  const versions = ["8.1", "8.5", "8.2", "8.4", "8.3"];
  await Promise.allSettled([
    ...versions.map((version, index) => publishTestBuild(index % 2 ? app : otherProcess, version, { stage: 4 })),
    ...versions.map((version) => setMinimumVersion(app.context(), 4, version)),
  ]);
  const channel = await app.context().em.findOneOrFail(SoftwareChannel, { stage: 4 }, { populate: ["build"] });
  expect(channel.build?.version).toBe("8.5");
  expect(channel.latestVersion).toEqual([8, 5, 0, 0]);
  const [major = 0, minor = 0] = channel.minimumVersion ?? [];
  expect(major * 10 + minor).toBeLessThanOrEqual(85);
});
