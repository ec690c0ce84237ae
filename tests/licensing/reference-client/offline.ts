import { change, type ClientOptions, commonBody, newNonce } from "./asker.ts";
import { allows, type Decision, stop } from "./decision.ts";
import { readSigned } from "./signed-answer.ts";

/**
 * The question of a machine without a connection, as a file that its owner carries to the portal. Its nonce stays the
 * same until the place is given back, so that a file that was asked for twice fits as well.
 */
export function makeRequestFile(options: ClientOptions, licenceCode: string): string {
  const nonce = options.store.read().requestNonce ?? newNonce();
  change(options.store, { licenceCode, requestNonce: nonce });
  return JSON.stringify(commonBody(options, licenceCode, nonce), null, 2);
}

/**
 * Keeps the licence file that the portal gave for the request of this machine. The keys are those that came with the
 * add-in, or were fetched earlier: a machine without a connection has no others.
 * @returns null, or why the file is none for this machine.
 */
export function installLicenceFile({ store, machine }: ClientOptions, file: string): Decision | null {
  const [, inside] = /-----BEGIN LICENCE FILE-----([\s\S]+?)-----END LICENCE FILE-----/.exec(file) ?? [];
  const jws = inside?.replace(/\s/g, "") ?? "";
  const state = store.read();
  const signed = readSigned(jws, "licence-file", state.keys);
  if (typeof signed === "string" || !allows(signed.data)) return stop("kept-forged");
  const isForThisRequest = signed.nonce === state.requestNonce && signed.fingerprint === machine().fingerprint;
  if (!isForThisRequest) return stop("kept-for-another-machine");
  const latestTrustedMs = Math.max(state.latestTrustedMs, signed.iat * 1_000);
  store.write({ ...state, licenceFile: jws, latestTrustedMs });
  return null;
}
