import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishSoftware, rollBackSoftware, withdrawSoftware } from "#api/releases/software/change-offer.ts";
import { deleteDraft } from "#api/releases/software/software-build.resolver.ts";
import { findCurrentBuild } from "#api/releases/software/find-build.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { SoftwareChannel } from "#api/releases/software/software-channel.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const other = await openBeside(app);
/** In turn of either process. */
const contextOf = (index: number) => (index % 2 ? app.context() : createContext(other));
const offeredIn = async (stage: number) => (await findCurrentBuild(app.context(), stage))?.version;
const publishAll = async (stage: number, versions: string[]) => {
  const builds: SoftwareBuild[] = [];
  for (const version of versions) builds.push(await publishTestBuild(app, version, { stage }));
  return builds;
};
const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code ?? outcome.reason] : []));

test("of twelve who roll the same build back at once, one does", async () => {
  const builds = await publishAll(4, ["1.0", "1.1", "1.2", "1.3"]);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => rollBackSoftware(contextOf(index), 4, builds[3]?.id ?? "")),
  );
  expect(codes(outcomes)).toEqual(Array.from({ length: 11 }, () => "CONFLICT"));
  expect(await offeredIn(4)).toBe("1.2");
});

test("whoever publishes, rolls back, withdraws and sets the minimum at once leaves an offer that may run", async () => {
  const stage = 4;
  for (let round = 0; round < 8; round++) {
    const builds = await publishAll(stage, [`${round + 2}.0`, `${round + 2}.1`, `${round + 2}.2`]);
    const [low, middle, high] = builds.map(({ id }) => id) as [string, string, string];
    const outcomes = await Promise.allSettled([
      rollBackSoftware(contextOf(0), stage, high),
      withdrawSoftware(contextOf(1), high),
      publishSoftware(contextOf(2), middle),
      setMinimumVersion(contextOf(3), stage, `${round + 2}.1`),
      withdrawSoftware(contextOf(4), middle),
      publishSoftware(contextOf(5), low),
      rollBackSoftware(contextOf(6), stage, high),
    ]);
    for (const code of codes(outcomes)) expect(["CONFLICT", "UNPROCESSABLE", "BAD_USER_INPUT"]).toContain(code);
    const channel = await app.context().em.findOneOrFail(SoftwareChannel, { stage }, { populate: ["build"] });
    const { build, latestVersion, minimumVersion } = channel;
    // What a stage offers was never taken back, is what validation counts with, and may run.
    expect(build?.withdrawnAt ?? null).toBeNull();
    expect(latestVersion).toEqual(build?.versionParts ?? null);
    if (minimumVersion)
      expect((latestVersion?.[0] ?? 0) * 10 + (latestVersion?.[1] ?? 0)).toBeGreaterThanOrEqual(
        (minimumVersion[0] ?? 0) * 10 + (minimumVersion[1] ?? 0),
      );
    await setMinimumVersion(app.context(), stage, null);
  }
});

test("a draft is published or deleted, never both", async () => {
  for (let round = 1; round <= 8; round++) {
    const installer = async () => Readable.from(["an installer"]);
    const given = { stage: 3, version: `${round}.0`, fileName: "Setup.exe" };
    const { id } = await addBuild(app.context(), given, installer);
    const outcomes = await Promise.allSettled([publishSoftware(contextOf(0), id), deleteDraft(contextOf(1), id)]);
    expect(codes(outcomes)).toHaveLength(1);
    const isThere = (await app.context().em.count(SoftwareBuild, { id })) === 1;
    expect(isThere).toBe(outcomes[0]?.status === "fulfilled");
    expect((await offeredIn(3)) === `${round}.0`).toBe(isThere);
  }
});
