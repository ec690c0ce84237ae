import type { AddinValues } from "#schema/protocol.ts";
import type { Services } from "#api/platform/context.ts";
import { buildAddinData, getSigningServices } from "./addin.json.ts";
import type { LicenceAnswer } from "./licence-answer.ts";
import { signLicenceProof } from "./licence-proof.ts";

/** Licence file for a device without an internet connection. */
export interface LicenceFile {
  /** Content of the file: a JWS on one line between the begin and end markers. */
  readonly text: string;
  /** Time until which the device may run on the file: its `exp`, never later than the licence's expiry. */
  readonly goodUntil: Date;
}

/**
 * Creates the licence file for a device that may run (docs/domain.md#licence-file): a JWS like a proof, with type
 * `licence-file`, over the activation's answer without a machine token (decision 0025).
 * @throws Error if the answer is a refusal.
 */
export function createLicenceFile(
  services: Pick<Services, "keys" | "clock">,
  asked: AddinValues,
  answer: LicenceAnswer,
): LicenceFile {
  const now = services.clock.now();
  // Users transfer a request file by hand, so its age says nothing about the device's clock.
  const { data, graceUntil } = buildAddinData({ ...asked, clientTimeUtc: now }, answer, now);
  if (!graceUntil) throw new Error("A licence file can't be created for a refusal.");
  const jws = signLicenceProof(getSigningServices(services, answer), {
    type: "licence-file",
    data,
    nonce: asked.nonce,
    fingerprint: asked.machine.fingerprint,
    expiresAt: graceUntil,
  });
  return { text: `-----BEGIN LICENCE FILE-----\n${jws}\n-----END LICENCE FILE-----\n`, goodUntil: graceUntil };
}
