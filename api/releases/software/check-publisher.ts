import type { Publisher } from "#schema/software-upload.ts";
import type { Context } from "#api/platform/context.ts";
import { unprocessable } from "./publish-build.ts";
import type { SoftwareBuild } from "./software-build.entity.ts";

/**
 * Checks that a build may be published with the signature of its installer. An unsigned installer is accepted unless a
 * publisher is pinned.
 * @throws AppError UNPROCESSABLE
 */
export function requireTrustedSignature(
  { config }: Pick<Context, "config">,
  build: Pick<SoftwareBuild, "signature" | "createdAt">,
): void {
  const problem = findSignatureProblem(config.publisher, build);
  if (problem) throw unprocessable(problem);
}

/** Returns the reason for which a build can't be published with its signature, as a sentence, or null. */
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
  if (new Date(signature.validUntil) < createdAt)
    return `The certificate of ${signature.signer} had expired when the installer was uploaded.`;
  return null;
}
