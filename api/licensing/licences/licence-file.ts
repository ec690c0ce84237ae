import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Services } from "#api/platform/context.ts";
import { addinData, signersOf } from "./addin.json.ts";
import type { LicenceAnswer } from "./licence-answer.ts";
import { signLicenceProof } from "./licence-proof.ts";

/** What the vendor gives a machine that cannot ask for itself. */
export interface LicenceFile {
  /** The JWS on one line between the markers. */
  readonly text: string;
  /** Until when the machine may run on it: its `exp`, never past the licence's end. */
  readonly goodUntil: Date;
}

/**
 * The licence file for a machine that may run (docs/domain.md#licence-file): a JWS like a proof, of type
 * `licence-file`, over the activation's answer without a machine token (decision 0025).
 * @throws Error when the answer is a refusal: there is no file that says no.
 */
export function licenceFileOf(
  services: Pick<Services, "keys" | "clock">,
  asked: AddinValues,
  answer: LicenceAnswer,
): LicenceFile {
  const now = services.clock.now();
  // A request file is carried here by hand: its age says nothing about the machine's clock.
  const { data, graceUntil } = addinData({ ...asked, clientTimeUtc: now }, answer, now);
  if (!graceUntil) throw new Error("A licence file was asked for an answer that lets nothing run.");
  const jws = signLicenceProof(signersOf(services, answer), {
    type: "licence-file",
    data,
    nonce: asked.nonce,
    fingerprint: asked.machine.fingerprint,
    expiresAt: graceUntil,
  });
  return { text: `-----BEGIN LICENCE FILE-----\n${jws}\n-----END LICENCE FILE-----\n`, goodUntil: graceUntil };
}
