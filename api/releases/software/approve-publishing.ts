import { softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { unprocessable } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { requireVersion } from "./publish-build.ts";
import { aboutBuild } from "./find-build.ts";
import { lockBuild } from "./offer-build.ts";
import type { SoftwareBuild } from "./software-build.entity.ts";
import type { PublishingStep } from "./software-build.type.ts";

/**
 * Returns what the caller can do to get a build published. With `RELEASE_APPROVAL=two-person`, whoever uploaded a build or
 * requested its publishing can't publish it. A build without a known uploader needs a request first.
 */
export function findPublishingStep(
  { config, actor }: Pick<Context, "config" | "actor">,
  build: Pick<SoftwareBuild, "uploadedBy" | "publishingRequestedBy">,
): PublishingStep {
  if (!config.twoPersonRelease) return "PUBLISH";
  const [uploaderId, requesterId] = [build.uploadedBy?.id, build.publishingRequestedBy?.id];
  if (requesterId === actor?.userId) return "WAIT";
  if (uploaderId === actor?.userId) return requesterId ? "WAIT" : "REQUEST";
  return uploaderId || requesterId ? "PUBLISH" : "REQUEST";
}

/**
 * Requests that another admin publishes a build, and records it in the audit log. Repeating it changes nothing.
 * With offline release keys, an offered build can be requested too, because its manifest must be signed again at times.
 * @throws AppError NOT_FOUND; UNPROCESSABLE if the build is withdrawn or already offered, or if the caller can publish it
 */
export async function requestPublishing(context: Context, buildId: string): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const { channel, build } = await lockBuild(em, buildId);
    if (build.withdrawnAt) throw unprocessable("This build was withdrawn. Upload it again under a higher version.");
    if (channel.build?.id === build.id && context.releaseKeys.signer)
      throw unprocessable(`${findLabel(softwareStages, build.stage)} already offers this build.`);
    requireVersion(build);
    const step = findPublishingStep(context, build);
    if (step === "PUBLISH" || !context.actor) throw unprocessable("You can publish this build yourself.");
    if (step === "WAIT") return build;
    build.publishingRequestedBy = em.getReference(User, context.actor.userId);
    build.publishingRequestedAt = context.clock.now();
    await recordChange(context, em, {
      action: "request-publishing",
      ...aboutBuild(build),
      before: null,
      after: { version: build.version, sha256: build.sha256 },
    });
    return build;
  });
}
