import { isRecord } from "./answer.ts";
import {
  type VerifiedAnswer,
  sendRequest,
  bodyWithoutCode,
  type ClientOptions,
  newNonce,
  type NoAnswer,
} from "./requests.ts";
import type { Decision } from "./decision.ts";
import { send, type Unanswered } from "./http.ts";

/** An activation that the customer confirms in the browser (RFC 8628). */
export interface SignIn {
  /** Secret. */
  readonly deviceCode: string;
  /** Code to show in large characters. */
  readonly userCode: string;
  /** Page to open, including the user code. */
  readonly page: string;
  /** Time to wait before each poll, in seconds. */
  readonly intervalSeconds: number;
  /** Expiry by this machine's clock, in milliseconds since 1970. */
  readonly endsAtMs: number;
}

export interface SignInProgress {
  /** `waiting`: poll again. `answered`: see `decision`; after a refusal, the user may try again. */
  readonly state: "waiting" | "answered" | "denied" | "expired" | "unknown";
  /** The sign-in with the current interval. */
  readonly signIn: SignIn;
  readonly decision?: Decision;
  readonly unanswered?: Unanswered;
}

/** Seconds by which `slow_down` extends the interval (RFC 8628 §3.5). */
const SLOWER_BY_SECONDS = 5;

/** Errors that end the sign-in. */
const ends = new Map<string | undefined, SignInProgress["state"]>([
  ["access_denied", "denied"],
  ["expired_token", "expired"],
  ["invalid_grant", "unknown"],
]);

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

/**
 * Polls once. Without a response, the sign-in continues until it expires, because a repeated poll gets the same answer.
 */
export async function pollSignIn(
  options: ClientOptions,
  signIn: SignIn,
): Promise<Omit<SignInProgress, "decision"> & { outcome?: VerifiedAnswer }> {
  const body = { ...bodyWithoutCode(options, newNonce()), device_code: signIn.deviceCode };
  const outcome = await sendRequest(options, "device-authorization/token", body);
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
