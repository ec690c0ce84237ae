import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type AnswerData, isRecord } from "./answer.ts";
import { type HttpOptions, send, type Unanswered } from "./http.ts";
import { type PublishedKey, readKeys, readSigned, type SignedAnswer } from "./signed-answer.ts";
import type { State, Store } from "./store.ts";
import { trustServerTime } from "./trusted-time.ts";

export interface Machine {
  readonly machineName: string;
  /** A stable hash of the machine that reveals nothing readable about it. */
  readonly fingerprint: string;
  /** Hashes of built-in hardware. Leave out values that are blank or fillers of the firmware, before hashing. */
  readonly components?: Readonly<Record<string, string>>;
  readonly osUser?: string;
  readonly isVm: boolean;
}

export interface ClientOptions extends HttpOptions {
  readonly store: Store;
  /** This machine's clock, which may be wrong. */
  readonly now: () => Date;
  readonly machine: () => Machine;
  readonly addInVersion: string;
  readonly hostVersion: string;
  /** Set by a test build to use the sandbox's keys instead of the trusted keys of production. */
  readonly keysPath?: "/v1/licence/sandbox/signing-keys";
}

/** An answer with a verified proof. */
export interface VerifiedAnswer {
  readonly data: AnswerData;
  readonly proof: string;
}

export interface NoAnswer {
  readonly data?: never;
  readonly unanswered: Unanswered;
  /** Messages in a 400 response, by field. */
  readonly faults?: Readonly<Record<string, readonly string[]>>;
  /** The `error` of a 400 response that is not about the request: the sign-in is pending or has ended. */
  readonly error?: string;
}

export type Outcome = VerifiedAnswer | NoAnswer;

/** Calls with the common body. */
export type Call =
  | "activate"
  | "validate"
  | "lease"
  | "heartbeat"
  | "release"
  | "usage"
  | "deactivate"
  | "move/code"
  | "move/devices";

/** Changes the stored state. Nothing is kept in memory, so a crash loses nothing. */
export function updateState(store: Store, changes: Partial<State>): State {
  const state = { ...store.read(), ...changes };
  store.write(state);
  return state;
}

/**
 * Returns whether two spellings are the same code. The service ignores case and separators, and reads O as 0, and I and
 * L as 1.
 */
export function isSameCode(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && normaliseCode(one) === normaliseCode(other);
}

/** Returns the body that every call includes. */
export function commonBody(options: ClientOptions, licenceCode: string, nonce: string) {
  return { licenceCode, ...bodyWithoutCode(options, nonce) };
}

/** Returns the body for a machine without a licence code. */
export function bodyWithoutCode(options: ClientOptions, nonce: string) {
  return {
    nonce,
    clientTimeUtc: options.now().toISOString(),
    addInVersion: options.addInVersion,
    hostVersion: options.hostVersion,
    machine: options.machine(),
  };
}

/** Returns a value that has never been sent before. */
export function newNonce(): string {
  return randomBytes(18).toString("base64url");
}

/** Sends a call about a licence. */
export function sendCall(
  options: ClientOptions,
  call: Call,
  licenceCode: string,
  more: Record<string, unknown> = {},
): Promise<Outcome> {
  return sendRequest(options, call, { ...commonBody(options, licenceCode, newNonce()), ...more });
}

/** Sends a request and accepts an answer only if its proof matches this request and this machine. */
export async function sendRequest(
  options: ClientOptions,
  path: string,
  body: { readonly nonce: string; readonly machine: Machine },
): Promise<Outcome> {
  const answer = await send(options, "POST", `/v1/licence/${path}`, body);
  if (answer.status === undefined) return answer;
  if (answer.status === 401) return { unanswered: "unknown-token" };
  if (answer.status === 400) return { unanswered: "rejected", ...whyRejected(answer.json) };
  const { json } = answer;
  if (answer.status !== 200 || !isRecord(json) || typeof json.proof !== "string" || !isRecord(json.data))
    return { unanswered: "garbage" };

  const { proof, data } = json as { proof: string; data: unknown };
  const signed = await readWithNewestKeys(options, proof);
  if (typeof signed === "string") return { unanswered: "forged" };
  const isToThisQuestion = signed.nonce === body.nonce && signed.fingerprint === body.machine.fingerprint;
  if (!isToThisQuestion || !isDeepStrictEqual(signed.data, data)) return { unanswered: "forged" };
  options.store.write(trustServerTime(options.store.read(), options.now(), signed.data.serverTimeUtc));
  return { data: signed.data, proof };
}

/** Reads a proof. If its key is unknown, fetches the published keys once. */
async function readWithNewestKeys(options: ClientOptions, proof: string): Promise<SignedAnswer | string> {
  const signed = readSigned(proof, "licence-proof", options.store.read().keys);
  if (signed !== "unknown-key") return signed;
  return (await fetchKeys(options)) ? readSigned(proof, "licence-proof", options.store.read().keys) : signed;
}

/**
 * Fetches the published keys and returns whether there are any. A key that is already known under its `kid` is never
 * replaced, so it can't be changed in transit.
 */
async function fetchKeys(options: ClientOptions): Promise<boolean> {
  const answer = await send(options, "GET", options.keysPath ?? "/v1/licence/signing-keys");
  const published = answer.status === 200 ? readKeys(answer.json) : null;
  if (!published?.length) return false;
  const known = new Map(options.store.read().keys.map((key) => [key.kid, key]));
  updateState(options.store, { keys: published.map((key): PublishedKey => known.get(key.kid) ?? key) });
  return true;
}

function whyRejected(json: unknown): { error: string } | { faults: Record<string, string[]> } {
  if (!isRecord(json)) return { faults: {} };
  return typeof json.error === "string" ? { error: json.error } : { faults: json as Record<string, string[]> };
}

function normaliseCode(licenceCode: string): string {
  return licenceCode
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}
