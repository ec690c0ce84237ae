import { addMilliseconds } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput, conflict, unprocessable } from "#api/platform/errors.ts";
import { getInstallerPath } from "./find-build.ts";
import { SoftwareBuild, SoftwareChannel } from "./software-build.entity.ts";
import {
  MANIFEST_LIFE_MS,
  readManifest,
  signManifest,
  type UpdateManifest,
  verifyManifest,
} from "./update-manifest.ts";
import { LockMode } from "@mikro-orm/core";
import { SoftwareStage } from "#schema/software.ts";
import { type EntityManager, getRow, lockRow, query } from "#api/platform/database/database.ts";

/**
 * Makes a stage offer a build, or none. The caller must have locked the channel. Every change gets the next sequence
 * number, so that add-ins recognise an older manifest.
 * @param manifest the manifest signed offline; null if the server signs manifests
 */
export function offerBuild(
  channel: SoftwareChannel,
  build: SoftwareBuild | null,
  manifest: string | null = null,
): void {
  channel.sequence++;
  channel.build = build;
  channel.latestVersion = build?.versionParts ?? null;
  channel.manifest = manifest;
}

type ManifestContext = Pick<Context, "config" | "releaseKeys" | "clock">;

/** Returns the manifest to sign before a stage can offer a build, with the next sequence number. */
export function buildManifest(
  { config }: Pick<Context, "config">,
  build: Pick<SoftwareBuild, "stage" | "version" | "fileName" | "sha256">,
  sequence: number,
): UpdateManifest {
  const { stage, version, sha256 } = build;
  return { version, url: config.publicUrl + getInstallerPath(build), sha256, stage, sequence };
}

/**
 * Checks the signed manifest of a build that a stage is about to offer. The caller must have locked the channel.
 * @returns null if the server signs manifests
 * @throws AppError UNPROCESSABLE if release keys are offline and there is no manifest; BAD_USER_INPUT if its signature is
 * invalid or it describes another build; CONFLICT if the stage's offer has changed since it was created
 */
export function checkManifest(
  context: ManifestContext,
  channel: SoftwareChannel,
  build: SoftwareBuild,
  given: string | null,
): string | null {
  if (context.releaseKeys.signer) return null;
  const manifest = given?.trim();
  if (!manifest)
    throw unprocessable(
      "The release keys are offline. Sign the manifest of this build with `keys sign`, and enter the signature.",
    );
  const signed = verifyManifest(context.releaseKeys, manifest, context.clock.now());
  if (!signed)
    throw badInput({ signedManifest: ["This isn't a valid signature by a release key. Sign the manifest again."] });
  const expected = buildManifest(context, build, channel.sequence + 1);
  if (signed.sequence !== expected.sequence && isSame(signed, { ...expected, sequence: signed.sequence }))
    throw conflict(
      `The stage has changed since this manifest was created. Sign the manifest with sequence ${expected.sequence}.`,
    );
  if (!isSame(signed, expected))
    throw badInput({ signedManifest: ["The signed manifest describes another build. Sign the manifest of this one."] });
  return manifest;
}

/**
 * Returns the signed manifest of the build that a stage offers, or null if it was signed offline and isn't valid any more.
 */
export function signOffer(
  context: ManifestContext,
  channel: SoftwareChannel,
  build: SoftwareBuild,
): { readonly manifest: UpdateManifest; readonly proof: string } | null {
  const { signer } = context.releaseKeys;
  const now = context.clock.now();
  if (signer) {
    const manifest = buildManifest(context, build, channel.sequence);
    const times = { issuedAt: now, expiresAt: addMilliseconds(now, MANIFEST_LIFE_MS) };
    return { manifest, proof: signManifest(signer, manifest, times) };
  }
  const signed = channel.manifest === null ? null : verifyManifest(context.releaseKeys, channel.manifest, now);
  return signed && channel.manifest ? { manifest: signed, proof: channel.manifest } : null;
}

function isSame(one: UpdateManifest, other: UpdateManifest): boolean {
  return JSON.stringify(readManifest(one)) === JSON.stringify(readManifest(other));
}

/**
 * Locks and returns the channel of a stage, or null if the stage has never had a published build. Locks Production's
 * channel first, because its minimum version applies to every stage and must not change before the commit.
 */
export async function lockChannel(em: EntityManager, stage: number): Promise<SoftwareChannel | null> {
  if (stage !== SoftwareStage.Production)
    await em.findOne(
      SoftwareChannel,
      { stage: SoftwareStage.Production },
      { lockMode: LockMode.PESSIMISTIC_READ, refresh: true },
    );
  return em.findOne(SoftwareChannel, { stage }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Locks and returns the channels of all stages, Production first as in {@link lockChannel}. */
export async function lockChannels(em: EntityManager): Promise<SoftwareChannel[]> {
  await lockChannel(em, SoftwareStage.Production);
  return em.find(
    SoftwareChannel,
    {},
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { stage: "asc" }, refresh: true },
  );
}

/**
 * Locks the channel of a build's stage, created if needed, and then the build.
 * @throws AppError NOT_FOUND
 */
export async function lockBuild(em: EntityManager, buildId: string) {
  const { stage } = await getRow(em, SoftwareBuild, buildId);
  await query(em, "insert into software_channels (stage, sequence) values ($1, 0) on conflict do nothing", [stage]);
  const channel = (await lockChannel(em, stage)) as SoftwareChannel;
  return { channel, build: await lockRow(em, SoftwareBuild, buildId, { refresh: true }) };
}

/**
 * Returns Production's minimum version, which applies to the add-ins of every stage, or null if there is none. `channel` must
 * come from {@link lockChannel}, so that the minimum doesn't change before the commit.
 */
export async function loadMinimumVersion(em: EntityManager, channel: SoftwareChannel): Promise<number[] | null> {
  if (channel.stage === SoftwareStage.Production) return channel.minimumVersion;
  const production = await em.findOne(SoftwareChannel, { stage: SoftwareStage.Production }, { refresh: true });
  return production?.minimumVersion ?? null;
}
