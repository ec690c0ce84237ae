import { softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { Context } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { findPublishingStep } from "#api/releases/software/approve-publishing.ts";
import { getInstallerPath } from "./find-build.ts";
import { SoftwareBuild, SoftwareChannel } from "./software-build.entity.ts";
import { type SoftwareBuildRow, SoftwareBuildState } from "./software-build.type.ts";
import type { Publisher } from "#schema/software-upload.ts";

/** Returns a build as shown to staff, after a change. */
export async function describeBuild(context: Context, { id }: SoftwareBuild): Promise<SoftwareBuildRow> {
  const [row] = await describeBuilds(context, [id]);
  return row as SoftwareBuildRow;
}

/** Returns builds as shown to staff, in the order of `ids`. Skips builds that no longer exist. */
export async function describeBuilds(
  context: Pick<Context, "em" | "config" | "actor">,
  ids: readonly string[],
): Promise<SoftwareBuildRow[]> {
  if (ids.length === 0) return [];
  // Fork, because the current unit of work may still contain the state before a change.
  const em = context.em.fork();
  const builds = await em.find(
    SoftwareBuild,
    { id: { $in: [...ids] } },
    { populate: ["uploadedBy", "publishingRequestedBy"] },
  );
  const channels = await em.find(SoftwareChannel, { build: { $in: [...ids] } });
  const offered = new Set(channels.map(({ build }) => build?.id));
  const byId = new Map(builds.map((build) => [build.id, build]));
  return ids.flatMap((id) => {
    const build = byId.get(id);
    return build ? [toRow(context, build, offered.has(id))] : [];
  });
}

function toRow(context: Pick<Context, "config" | "actor">, build: SoftwareBuild, isOffered: boolean): SoftwareBuildRow {
  const { publicUrl, publisher } = context.config;
  const { id, stage, version, fileName, sizeBytes, sha256, createdAt, publishedAt, withdrawnAt, signature } = build;
  return {
    id,
    stage,
    stageLabel: findLabel(softwareStages, stage),
    version,
    versionSource: build.versionSource,
    state: getState(build, isOffered),
    fileName,
    sizeBytes,
    sha256,
    url: isDownloadable(build) ? publicUrl + getInstallerPath(build) : null,
    signer: signature?.state === "signed" ? signature.signer : null,
    signatureProblem: publishedAt ? null : findSignatureProblem(publisher, build),
    publishingStep: findPublishingStep(context, build),
    publishingRequestedBy: formatName(build.publishingRequestedBy),
    publishingRequestedAt: build.publishingRequestedAt,
    createdAt,
    uploadedBy: formatName(build.uploadedBy),
    publishedAt,
    withdrawnAt,
  };
}

const formatName = (user: User | null) => user && `${user.firstName} ${user.lastName}`;

/** Returns whether the files of a build can be downloaded. */
export function isDownloadable(build: Pick<SoftwareBuild, "publishedAt" | "withdrawnAt">): boolean {
  return build.publishedAt !== null && build.withdrawnAt === null;
}

function getState({ publishedAt, withdrawnAt }: SoftwareBuild, isOffered: boolean): SoftwareBuildState {
  if (withdrawnAt) return SoftwareBuildState.WITHDRAWN;
  if (!publishedAt) return SoftwareBuildState.UPLOADED;
  return isOffered ? SoftwareBuildState.OFFERED : SoftwareBuildState.PUBLISHED;
}

/**
 * Returns the reason for which a build can't be published with the signature of its installer, as a sentence, or null. An
 * unsigned installer is accepted unless a publisher is pinned.
 */
export function findSignatureProblem(
  publisher: Publisher | null,
  { signature, createdAt }: Pick<SoftwareBuild, "signature" | "createdAt">,
): string | null {
  if (signature?.state === "broken")
    return `The signature of the installer is invalid: ${signature.problem} Sign the installer again and upload it under a higher version.`;
  if (!publisher) return null;
  if (signature === null)
    return "The signature of this installer was never checked. Upload the build again under a higher version.";
  if (signature.state === "unsigned")
    return `The installer isn't signed. Every build must be signed by ${publisher.name}.`;
  if (signature.signer !== publisher.name)
    return `The installer is signed by ${signature.signer}. Every build must be signed by ${publisher.name}.`;
  if (!signature.certificates.some((fingerprint) => publisher.certificates.includes(fingerprint)))
    return `The installer is signed with a certificate of ${signature.signer} that isn't listed in PUBLISHER_CERTIFICATES.`;
  if (new Date(signature.validUntil) < new Date(signature.uploadedAt ?? createdAt))
    return `The certificate of ${signature.signer} had expired when the installer was uploaded.`;
  return null;
}
