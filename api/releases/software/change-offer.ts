import { labelOf, SoftwareStage, softwareStages } from "#schema/catalogue.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { lockChannel, lockOrMakeChannel, minimumFor } from "./lock-channel.ts";
import { belowMinimum, findBuild, lockBuild, publishBuild, unprocessable } from "./publish-build.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import type { SoftwareChannel } from "./software-channel.entity.ts";
import { compareVersions, versionText } from "./version.ts";

/**
 * An admin publishes a build, or offers one again (`publishBuild`); written to the audit log. The channel's lock
 * puts it in a row with whoever rolls back or withdraws meanwhile. Runs in the context's transaction when it has one.
 * @throws AppError as `publishBuild`.
 */
export async function publishSoftware(context: Context, buildId: string): Promise<SoftwareBuild> {
  const publish = async (em: EntityManager): Promise<SoftwareBuild> => {
    const { stage } = await findBuild(em, buildId);
    const channel = await lockOrMakeChannel(em, stage);
    const before = { offeredVersion: (await offeredBy(em, channel))?.version ?? null };
    const build = await publishBuild({ em, clock: context.clock }, buildId);
    await note(context, em, "publish-software", build, before, { offeredVersion: build.version });
    return build;
  };
  return inTransaction(context, publish);
}

/**
 * Offers the build before the offered one again: the highest that is published, not withdrawn and below it. Takes the
 * build that the screen showed as offered, so that a second click does not roll back twice.
 * @throws AppError CONFLICT when another build is offered by now, UNPROCESSABLE when there is none before it, or when
 * that is below the oldest version that may run.
 */
export async function rollBackSoftware(context: Context, stage: number, offeredBuildId: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const channel = await lockChannel(em, stage);
    const offered = channel && (await offeredBy(em, channel));
    if (!channel || !offered) throw unprocessable("Nothing is offered in this stage.");
    if (!isUuid(offeredBuildId) || offered.id !== offeredBuildId.toLowerCase())
      throw new AppError("CONFLICT", {
        message: `Another build is offered by now, ${offered.version}. Please look again before you roll back.`,
      });
    const previous = await buildBefore(em, offered);
    if (!previous) throw unprocessable(`There is no build before ${offered.version} to go back to.`);
    const minimum = await minimumFor(em, channel);
    if (minimum && compareVersions(previous.versionParts, minimum) < 0) throw belowMinimum(previous, minimum);
    em.assign(channel, { build: previous, latestVersion: previous.versionParts });
    const before = { offeredVersion: offered.version };
    await note(context, em, "roll-back-software", offered, before, { offeredVersion: previous.version });
  });
}

/**
 * Takes a published build back for good: its files can't be had any more. When it was offered, the one before it is, or
 * nothing. A withdrawn build stays as it is.
 * @throws AppError NOT_FOUND, UNPROCESSABLE for a build that was never published, and for Production's offered one when
 * none that may run would be left to offer.
 */
export async function withdrawSoftware(context: Context, buildId: string): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const { stage } = await findBuild(em, buildId);
    const channel = await lockChannel(em, stage);
    const build = await lockBuild(em, buildId);
    if (!channel || !build.publishedAt)
      throw unprocessable("This build was never published, so nobody has it. Delete it instead.");
    if (build.withdrawnAt) return build;
    const offered = await offeredBy(em, channel);
    const next = offered?.id === build.id ? await nextToOffer(em, channel, build) : offered;
    if (next !== offered) em.assign(channel, { build: next, latestVersion: next?.versionParts ?? null });
    build.withdrawnAt = context.clock.now();
    const before = { offeredVersion: offered?.version ?? null, withdrawnAt: null };
    const after = { offeredVersion: next?.version ?? null, withdrawnAt: build.withdrawnAt.toISOString() };
    await note(context, em, "withdraw-software", build, before, after);
    return build;
  });
}

/** The build that a roll back would offer: the highest published one below, that was not withdrawn. */
export async function buildBefore(em: EntityManager, offered: SoftwareBuild): Promise<SoftwareBuild | null> {
  const [previous] = await em.find(
    SoftwareBuild,
    {
      stage: offered.stage,
      publishedAt: { $ne: null },
      withdrawnAt: null,
      versionParts: { $lt: offered.versionParts as never },
    },
    { orderBy: { versionParts: "desc" }, limit: 1 },
  );
  return previous ?? null;
}

/** What follows a build that is withdrawn while it is offered; never one that may not run. */
async function nextToOffer(
  em: EntityManager,
  channel: SoftwareChannel,
  withdrawn: SoftwareBuild,
): Promise<SoftwareBuild | null> {
  const previous = await buildBefore(em, withdrawn);
  const minimum = await minimumFor(em, channel);
  if (!minimum) return previous;
  if (previous && compareVersions(previous.versionParts, minimum) >= 0) return previous;
  if (channel.stage !== SoftwareStage.Production) return null;
  if (previous) throw belowMinimum(previous, minimum);
  throw unprocessable(
    `Nothing would be left for customers, while ${versionText(minimum)} is the oldest version that may run. Lift the minimum version first.`,
  );
}

async function offeredBy(em: EntityManager, channel: SoftwareChannel): Promise<SoftwareBuild | null> {
  const build = channel.build && (await em.findOne(SoftwareBuild, { id: channel.build.id }));
  return build?.withdrawnAt ? null : build;
}

function note(
  context: Context,
  em: EntityManager,
  action: AuditAction,
  build: SoftwareBuild,
  before: AuditedValues,
  after: AuditedValues,
): Promise<void> {
  const name = `${labelOf(softwareStages, build.stage)} ${build.version}`;
  return noteChange(context, em, {
    action,
    subject: { type: "software", id: build.id, name },
    userId: null,
    before,
    after,
  });
}
