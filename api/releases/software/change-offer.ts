import { SoftwareStage, softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { AppError, conflict, unprocessable } from "#api/platform/errors.ts";
import { findPublishingStep } from "./approve-publishing.ts";
import { findSignatureProblem } from "./describe-build.ts";
import { aboutBuild, getOfferedBuild } from "./find-build.ts";
import { checkManifest, offerBuild, lockBuild, lockChannel, loadMinimumVersion } from "./offer-build.ts";
import { belowMinimum, publishBuild, requireVersion } from "./publish-build.ts";
import { SoftwareBuild, type SoftwareChannel } from "./software-build.entity.ts";
import { compareVersions, formatVersion } from "./version.ts";

/**
 * Publishes a build or offers it again (`publishBuild`), and records it in the audit log. The lock on the channel keeps
 * it from running at the same time as a rollback or withdrawal. Does nothing if the stage already offers the build, unless
 * there is a new signed manifest. Uses the transaction of the context, if any.
 * @param signedManifest required if the release keys are offline
 * @throws AppError as `publishBuild` and `checkManifest` do; FORBIDDEN if another admin must publish the build;
 * UNPROCESSABLE if its signature isn't acceptable.
 */
export async function publishSoftware(
  context: Context,
  buildId: string,
  signedManifest: string | null = null,
): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const { channel, build: locked } = await lockBuild(em, buildId);
    const before = { offeredVersion: (await offeredBy(em, channel))?.version ?? null };
    if (channel.build?.id === locked.id && !locked.withdrawnAt && (context.releaseKeys.signer || !signedManifest))
      return locked;
    requireVersion(locked);
    if (findPublishingStep(context, locked) !== "PUBLISH")
      throw new AppError("FORBIDDEN", {
        message: "Another admin must publish this build, because publishing takes two admins. Request it instead.",
      });
    const problem = findSignatureProblem(context.config.publisher, locked);
    if (problem) throw unprocessable(problem);
    const manifest = checkManifest(context, channel, locked, signedManifest);
    const build = await publishBuild({ em, clock: context.clock }, buildId, manifest);
    await recordOffer(context, em, "publish-software", build, before, { offeredVersion: build.version });
    return build;
  });
}

/**
 * Offers the previous build again: the highest published version below the offered one that isn't withdrawn. One admin can do it, because the build was already approved. `offeredBuildId`
 * is the build that the screen showed as offered, so that a second click doesn't roll back twice.
 * @param signedManifest required if the release keys are offline
 * @throws AppError CONFLICT if another build is offered now; UNPROCESSABLE if there is no previous build or it is below the
 * minimum version; as `checkManifest` does.
 */
export async function rollBackSoftware(
  context: Context,
  stage: number,
  offeredBuildId: string,
  signedManifest: string | null = null,
): Promise<void> {
  await inTransaction(context, async (em) => {
    const channel = await lockChannel(em, stage);
    const offered = channel && (await offeredBy(em, channel));
    if (!channel || !offered) throw unprocessable("Nothing is offered in this stage.");
    if (offered.id !== offeredBuildId.toLowerCase())
      throw conflict(`Version ${offered.version} is offered now. Check it before you roll back.`);
    const previous = await findPreviousBuild(em, offered);
    if (!previous) throw unprocessable(`There is no earlier build than ${offered.version} to roll back to.`);
    const minimum = await loadMinimumVersion(em, channel);
    if (minimum && compareVersions(previous.versionParts, minimum) < 0) throw belowMinimum(previous, minimum);
    offerBuild(channel, previous, checkManifest(context, channel, previous, signedManifest));
    const before = { offeredVersion: offered.version };
    await recordOffer(context, em, "roll-back-software", offered, before, { offeredVersion: previous.version });
  });
}

/**
 * Withdraws a published build for good: its files can no longer be downloaded. If it was offered, the stage offers the previous
 * build or none. Does nothing if the build is already withdrawn.
 * @throws AppError NOT_FOUND; UNPROCESSABLE if the build was never published, or if Production would have no build left that
 * meets the minimum version. If the release keys are offline, the manifest of the next build has to be signed before
 * add-ins are offered it.
 */
export async function withdrawSoftware(context: Context, buildId: string): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const { channel, build } = await lockBuild(em, buildId);
    if (!build.publishedAt) throw unprocessable("This build was never published. Delete it instead.");
    if (build.withdrawnAt) return build;
    const offered = await offeredBy(em, channel);
    const next = offered?.id === build.id ? await nextToOffer(em, channel, build) : offered;
    if (next !== offered) offerBuild(channel, next);
    build.withdrawnAt = context.clock.now();
    const before = { offeredVersion: offered?.version ?? null, withdrawnAt: null };
    const after = { offeredVersion: next?.version ?? null, withdrawnAt: build.withdrawnAt.toISOString() };
    await recordOffer(context, em, "withdraw-software", build, before, after);
    return build;
  });
}

/**
 * Returns the build that a rollback would offer: the highest published version below the offered one that isn't
 * withdrawn.
 */
async function findPreviousBuild(em: EntityManager, offered: SoftwareBuild): Promise<SoftwareBuild | null> {
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

/** Returns the build to offer after the offered one is withdrawn; never one below the minimum version. */
async function nextToOffer(
  em: EntityManager,
  channel: SoftwareChannel,
  withdrawn: SoftwareBuild,
): Promise<SoftwareBuild | null> {
  const previous = await findPreviousBuild(em, withdrawn);
  const minimum = await loadMinimumVersion(em, channel);
  if (!minimum) return previous;
  if (previous && compareVersions(previous.versionParts, minimum) >= 0) return previous;
  if (channel.stage !== SoftwareStage.Production) return null;
  if (previous) throw belowMinimum(previous, minimum);
  throw unprocessable(
    `Customers would have no build to download, because the minimum version is ${formatVersion(minimum)}. Remove the minimum version first.`,
  );
}

async function offeredBy(em: EntityManager, channel: SoftwareChannel): Promise<SoftwareBuild | null> {
  await em.populate(channel, ["build"]);
  return getOfferedBuild(channel);
}

const eventTypes = {
  "publish-software": "build.published",
  "roll-back-software": "build.rolled-back",
  "withdraw-software": "build.withdrawn",
} as const satisfies Partial<Record<AuditAction, string>>;

/** Records what a stage offers as an audit entry and a security event. */
async function recordOffer(
  context: Context,
  em: EntityManager,
  action: keyof typeof eventTypes,
  build: SoftwareBuild,
  before: AuditedValues,
  after: AuditedValues,
): Promise<void> {
  const stage = findLabel(softwareStages, build.stage);
  await recordSecurityEvent(context, em, {
    type: eventTypes[action],
    actorId: context.actor?.userId ?? null,
    detail: { buildId: build.id, stage, version: build.version },
  });
  await recordChange(context, em, { action, ...aboutBuild(build), before, after });
}
