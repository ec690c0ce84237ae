import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type AnswerData, isRecord } from "./answer.ts";
import { type HttpOptions, send, type Unanswered } from "./http.ts";
import { type PublishedKey, readKeys, readSigned, type SignedAnswer } from "./signed-answer.ts";
import type { State, Store } from "./store.ts";
import { trustServerTime } from "./trusted-time.ts";

/** How this machine describes itself. */
export interface Machine {
  readonly machineName: string;
  /** A stable hash of the machine, without anything that people can read. */
  readonly fingerprint: string;
  readonly components?: Readonly<Record<string, string>>;
  readonly osUser?: string;
  readonly isVm: boolean;
}

/** What a client needs. */
export interface ClientOptions extends HttpOptions {
  readonly store: Store;
  /** This machine's clock, right or wrong. */
  readonly now: () => Date;
  readonly machine: () => Machine;
  readonly addInVersion: string;
  readonly hostVersion: string;
  /** Of a test build: the sandbox's keys instead of those that an add-in in use trusts. */
  readonly keysPath?: "/v1/licence/sandbox/signing-keys";
}

/** An answer that was proven. */
export interface Answered {
  readonly data: AnswerData;
  readonly proof: string;
}

/** Why there is no answer. */
export interface NoAnswer {
  readonly data?: never;
  readonly unanswered: Unanswered;
  /** Sentences of a 400, by field. */
  readonly faults?: Readonly<Record<string, readonly string[]>>;
  /** The `error` of a 400 that is none of the question's: nobody has confirmed it yet, or it is over. */
  readonly error?: string;
}

export type Outcome = Answered | NoAnswer;

/** The calls that carry the common body. */
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

/** Changes what is stored; nothing is kept in memory, so that a crash loses nothing. */
export function change(store: Store, changes: Partial<State>): State {
  const state = { ...store.read(), ...changes };
  store.write(state);
  return state;
}

/** The body that every call carries. */
export function commonBody(options: ClientOptions, licenceCode: string, nonce: string) {
  return { licenceCode, ...bodyWithoutCode(options, nonce) };
}

/** The body of a machine that knows no licence code. */
export function bodyWithoutCode(options: ClientOptions, nonce: string) {
  return {
    nonce,
    clientTimeUtc: options.now().toISOString(),
    addInVersion: options.addInVersion,
    hostVersion: options.hostVersion,
    machine: options.machine(),
  };
}

/** A text that was never sent before. */
export function newNonce(): string {
  return randomBytes(18).toString("base64url");
}

/** Asks the service about a licence. */
export function ask(
  options: ClientOptions,
  call: Call,
  licenceCode: string,
  more: Record<string, unknown> = {},
): Promise<Outcome> {
  return askWith(options, call, { ...commonBody(options, licenceCode, newNonce()), ...more });
}

/** Asks the service, and believes nothing that is not proven to be its answer to this question of this machine. */
export async function askWith(
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

/** Reads a proof; when its key is not known, the published keys are fetched, once. */
async function readWithNewestKeys(options: ClientOptions, proof: string): Promise<SignedAnswer | string> {
  const signed = readSigned(proof, "licence-proof", options.store.read().keys);
  if (signed !== "unknown-key") return signed;
  return (await fetchKeys(options)) ? readSigned(proof, "licence-proof", options.store.read().keys) : signed;
}

/**
 * Fetches the published keys. A key that is known by its `kid` stays what it is: nobody changes it under way. Answers
 * whether there are keys.
 */
export async function fetchKeys(options: ClientOptions): Promise<boolean> {
  const answer = await send(options, "GET", options.keysPath ?? "/v1/licence/signing-keys");
  const published = answer.status === 200 ? readKeys(answer.json) : null;
  if (!published?.length) return false;
  const known = new Map(options.store.read().keys.map((key) => [key.kid, key]));
  change(options.store, { keys: published.map((key): PublishedKey => known.get(key.kid) ?? key) });
  return true;
}

function whyRejected(json: unknown): { error: string } | { faults: Record<string, string[]> } {
  if (!isRecord(json)) return { faults: {} };
  return typeof json.error === "string" ? { error: json.error } : { faults: json as Record<string, string[]> };
}
