import { updateState, type ClientOptions, commonBody, isSameCode, newNonce } from "./requests.ts";
import { permitsRunning, type Decision, stop } from "./decision.ts";
import { readSigned } from "./signed-answer.ts";

/**
 * Creates a request file that the owner uploads to the portal for a machine without a connection. The nonce for a code
 * remains the same until the device is deactivated, so the licence file for an earlier request file is also accepted. The
 * current licence remains in use until the licence file is installed.
 */
export function createRequestFile(options: ClientOptions, licenceCode: string): string {
  const { requestCode, requestNonce } = options.store.read();
  const nonce = requestNonce && isSameCode(requestCode, licenceCode) ? requestNonce : newNonce();
  updateState(options.store, { requestCode: licenceCode, requestNonce: nonce });
  return JSON.stringify(commonBody(options, licenceCode, nonce), null, 2);
}

/**
 * Stores the licence file that the portal created for this machine's request. Uses the keys delivered with the add-in
 * or fetched earlier, because a machine without a connection has no others.
 * @returns null, or the reason the file is not valid for this machine
 */
export function installLicenceFile({ store, machine }: ClientOptions, file: string): Decision | null {
  const [, inside] = /-----BEGIN LICENCE FILE-----([\s\S]+?)-----END LICENCE FILE-----/.exec(file) ?? [];
  const jws = inside?.replace(/\s/g, "") ?? "";
  const state = store.read();
  const signed = readSigned(jws, "licence-file", state.keys);
  if (typeof signed === "string" || !permitsRunning(signed.data)) return stop("kept-forged");
  const isForThisRequest = signed.nonce === state.requestNonce && signed.fingerprint === machine().fingerprint;
  if (!isForThisRequest) return stop("kept-for-another-machine");
  const latestTrustedMs = Math.max(state.latestTrustedMs, signed.iat * 1_000);
  // The device's token and proofs belong to the previous licence.
  const forgotten = isSameCode(state.requestCode, state.licenceCode)
    ? {}
    : { licenceCode: state.requestCode, machineToken: undefined, proof: undefined, lease: undefined };
  store.write({ ...state, ...forgotten, licenceFile: jws, latestTrustedMs });
  return null;
}
