import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { SigningKey, SigningKeys } from "#api/platform/signing-keys.ts";

const TAG_BYTES = 8;
const MAC_BYTES = 16;
const SESSION_BYTES = 6;

/** What a machine token of the sandbox turned out to be, for a code and a machine. */
export type TokenStanding = "this-device" | "another-licence" | "another-machine" | "unknown";

/**
 * A machine token of the sandbox: it says itself which code and machine it was given for, since nothing is stored, and a
 * MAC keeps invented ones out. Of the length that real ones have.
 */
export function sandboxToken(keys: Pick<SigningKeys, "current">, licenceCode: string, fingerprint: string): string {
  return tokenFrom(keys.current, tagOf(licenceCode), tagOf(fingerprint)).toString("base64url");
}

/** Whose token it is. */
export function readSandboxToken(
  keys: SigningKeys,
  token: string,
  licenceCode: string,
  fingerprint: string,
): TokenStanding {
  const bytes = Buffer.from(token, "base64url");
  const code = bytes.subarray(0, TAG_BYTES);
  const machine = bytes.subarray(TAG_BYTES, 2 * TAG_BYTES);
  if (!all(keys).some((key) => isSame(bytes, tokenFrom(key, code, machine)))) return "unknown";
  if (!code.equals(tagOf(licenceCode))) return "another-licence";
  return machine.equals(tagOf(fingerprint)) ? "this-device" : "another-machine";
}

/** The lease of a session of a machine: the same when it asks again. A UUID by its looks. */
export function sandboxLease(
  keys: Pick<SigningKeys, "current">,
  licenceCode: string,
  fingerprint: string,
  sessionId: string,
): string {
  const session = createHash("sha256").update(sessionId).digest().subarray(0, SESSION_BYTES);
  return leaseFrom(keys.current, licenceCode, fingerprint, session);
}

/** Whether the lease was given to a session of this machine. */
export function isSandboxLease(keys: SigningKeys, licenceCode: string, fingerprint: string, leaseId: string): boolean {
  const id = leaseId.toLowerCase();
  const session = Buffer.from(id.replaceAll("-", ""), "hex").subarray(0, SESSION_BYTES);
  return all(keys).some((key) => leaseFrom(key, licenceCode, fingerprint, session) === id);
}

/** An id that is always the same for the same things: a licence of the sandbox, a device. A UUID by its looks. */
export function sandboxId(...named: readonly string[]): string {
  return asUuid(createHash("sha256").update(JSON.stringify(named)).digest());
}

function tokenFrom(key: SigningKey, code: Uint8Array, machine: Uint8Array): Buffer {
  const mac = macOf(key, "machine tokens", Buffer.concat([code, machine])).subarray(0, MAC_BYTES);
  return Buffer.concat([code, machine, mac]);
}

function leaseFrom(key: SigningKey, licenceCode: string, fingerprint: string, session: Uint8Array): string {
  const mac = macOf(key, "leases", JSON.stringify([licenceCode, fingerprint, Buffer.from(session).toString("hex")]));
  return asUuid(Buffer.concat([session, mac]));
}

function macOf(key: SigningKey, purpose: string, text: string | Uint8Array): Buffer {
  const secret = key.privateKey.export({ format: "jwk" }).d ?? "";
  return createHmac("sha256", `${secret} ${purpose}`).update(text).digest();
}

function tagOf(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, TAG_BYTES);
}

function asUuid(bytes: Buffer): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function all(keys: SigningKeys): SigningKey[] {
  return keys.jwks().keys.flatMap(({ kid }) => keys.find(kid) ?? []);
}
