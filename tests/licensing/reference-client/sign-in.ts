import { isRecord } from "./answer.ts";
import { type Answered, askWith, bodyWithoutCode, type ClientOptions, newNonce, type NoAnswer } from "./asker.ts";
import type { Decision } from "./decision.ts";
import { send, type Unanswered } from "./http.ts";

/** An activation that a customer is to confirm in the browser (RFC 8628). */
export interface SignIn {
  /** A secret. */
  readonly deviceCode: string;
  /** To be shown large. */
  readonly userCode: string;
  /** The page to open; it carries the user code. */
  readonly page: string;
  /** How long to wait before each poll. */
  readonly intervalSeconds: number;
  /** When it lapses, by this machine's clock; milliseconds since 1970. */
  readonly endsAtMs: number;
}

/** What became of it. */
export interface SignInProgress {
  /** `waiting`: poll again. `answered`: `decision` says what came of it; a refusal may be tried again. */
  readonly state: "waiting" | "answered" | "denied" | "expired" | "unknown";
  /** With the interval that is in force now. */
  readonly signIn: SignIn;
  readonly decision?: Decision;
  readonly unanswered?: Unanswered;
}

/** By how much `slow_down` prolongs the interval (RFC 8628 §3.5). */
const SLOWER_BY_SECONDS = 5;

/** The errors after which nothing more will come. */
const ends = new Map<string | undefined, SignInProgress["state"]>([
  ["access_denied", "denied"],
  ["expired_token", "expired"],
  ["invalid_grant", "unknown"],
]);

/** Begins one. */
export async function beginSignIn(options: ClientOptions): Promise<SignIn | NoAnswer> {
  const body = { ...bodyWithoutCode(options, newNonce()), clientId: "addin" };
  const answer = await send(options, "POST", "/v1/licence/device-authorization", body);
  if (answer.status === undefined) return answer;
  if (answer.status === 400) return { unanswered: "rejected" };
  const { json } = answer;
  if (answer.status !== 200 || !isRecord(json)) return { unanswered: "garbage" };
  const { device_code: deviceCode, user_code: userCode, verification_uri_complete: page, expires_in, interval } = json;
  const isWhole =
    typeof deviceCode === "string" &&
    typeof userCode === "string" &&
    typeof page === "string" &&
    typeof expires_in === "number" &&
    typeof interval === "number";
  if (!isWhole || !/^https?:/.test(page)) return { unanswered: "garbage" };
  const endsAtMs = options.now().getTime() + expires_in * 1_000;
  return { deviceCode, userCode, page, intervalSeconds: interval, endsAtMs };
}

/** Asks once. Without an answer it goes on until it lapses: the same codes are answered the same. */
export async function pollSignIn(
  options: ClientOptions,
  signIn: SignIn,
): Promise<Omit<SignInProgress, "decision"> & { outcome?: Answered }> {
  const body = { ...bodyWithoutCode(options, newNonce()), device_code: signIn.deviceCode };
  const outcome = await askWith(options, "device-authorization/token", body);
  if (outcome.data) return { state: "answered", signIn, outcome };
  const { error, unanswered } = outcome;
  if (error === "authorization_pending") return { state: "waiting", signIn };
  if (error === "slow_down")
    return { state: "waiting", signIn: { ...signIn, intervalSeconds: signIn.intervalSeconds + SLOWER_BY_SECONDS } };
  const end = ends.get(error);
  if (end) return { state: end, signIn };
  const hasLapsed = options.now().getTime() >= signIn.endsAtMs;
  return { state: hasLapsed ? "expired" : "waiting", signIn, unanswered };
}
