import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readPrivatePart } from "#api/platform/keys/secrets.ts";
import type { SigningKey, SigningKeys } from "#api/platform/keys/signing-keys.ts";

const TAG_BYTES = 8;
const MAC_BYTES = 16;
const SESSION_BYTES = 6;

/** Result of comparing a sandbox machine token with a code and a device. */
export type TokenMatch = "this-device" | "another-licence" | "another-machine" | "unknown";

/**
 * Creates a machine token for the sandbox. Since nothing is stored, the token itself identifies its code and device,
 * and a MAC protects it against forgery. It is as long as a real token.
 */
export function createSandboxToken(
  keys: Pick<SigningKeys, "current">,
  licenceCode: string,
  fingerprint: string,
): string {
  return buildToken(keys.current, computeTag(licenceCode), computeTag(fingerprint)).toString("base64url");
}

/** Checks a sandbox machine token against a code and a device. */
export function checkSandboxToken(
  keys: SigningKeys,
  token: string,
  licenceCode: string,
  fingerprint: string,
): TokenMatch {
  const bytes = Buffer.from(token, "base64url");
  const code = bytes.subarray(0, TAG_BYTES);
  const machine = bytes.subarray(TAG_BYTES, 2 * TAG_BYTES);
  if (!keys.all.some((key) => isEqual(bytes, buildToken(key, code, machine)))) return "unknown";
  if (!code.equals(computeTag(licenceCode))) return "another-licence";
  return machine.equals(computeTag(fingerprint)) ? "this-device" : "another-machine";
}

/** Returns the lease id of a session on a device, always the same for the same session. It has the form of a UUID. */
export function deriveSandboxLeaseId(
  keys: Pick<SigningKeys, "current">,
  licenceCode: string,
  fingerprint: string,
  sessionId: string,
): string {
  const session = createHash("sha256").update(sessionId).digest().subarray(0, SESSION_BYTES);
  return buildLeaseId(keys.current, licenceCode, fingerprint, session);
}

/** Returns whether the lease was issued to a session on this device. */
export function isSandboxLease(keys: SigningKeys, licenceCode: string, fingerprint: string, leaseId: string): boolean {
  const id = leaseId.toLowerCase();
  const session = Buffer.from(id.replaceAll("-", ""), "hex").subarray(0, SESSION_BYTES);
  return keys.all.some((key) => buildLeaseId(key, licenceCode, fingerprint, session) === id);
}

/** Derives a stable id from names, for example of a sandbox licence or device. It has the form of a UUID. */
export function deriveSandboxId(...named: readonly string[]): string {
  return formatUuid(createHash("sha256").update(JSON.stringify(named)).digest());
}

function buildToken(key: SigningKey, code: Uint8Array, machine: Uint8Array): Buffer {
  const mac = computeMac(key, "machine tokens", Buffer.concat([code, machine])).subarray(0, MAC_BYTES);
  return Buffer.concat([code, machine, mac]);
}

function buildLeaseId(key: SigningKey, licenceCode: string, fingerprint: string, session: Uint8Array): string {
  const mac = computeMac(
    key,
    "leases",
    JSON.stringify([licenceCode, fingerprint, Buffer.from(session).toString("hex")]),
  );
  return formatUuid(Buffer.concat([session, mac]));
}

function computeMac(key: SigningKey, purpose: string, text: string | Uint8Array): Buffer {
  return createHmac("sha256", `${readPrivatePart(key)} ${purpose}`)
    .update(text)
    .digest();
}

function computeTag(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, TAG_BYTES);
}

function formatUuid(bytes: Buffer): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
