import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { createFairQueue } from "#api/platform/limits/fair-queue.ts";
import { type AttemptLimits, limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { type RateLimitName, toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { findKnownDevice } from "./known-device.ts";

/** Message when others have guessed too many passwords for an email address. The same for unknown addresses. */
const UNDER_ATTACK =
  "There have been too many wrong passwords for this email address. Try again later, or choose Forgot Password to sign in with an emailed link.";

/**
 * Attempts in progress in this process. Fewer than the database connections, so that a flood from one IP address never makes
 * the attempts of others, or other requests, wait for a connection. IP addresses take turns, and an address with few waiting
 * attempts takes a place from the address with most.
 */
const inAttemptSlot = createFairQueue(
  { running: 6, waiting: 100 },
  () => new AppError("UNAVAILABLE", { retryAfterSeconds: 2 }),
);

/**
 * Runs `attempt` unless the caller, or others, tried too many wrong passwords (decision 0017). Callers who used up their
 * own tries get RATE_LIMITED: 60 a minute from their IP address, and 5 a minute and 20 an hour for this email. Limits
 * that others can use up (5 a minute and 20 an hour for the email, 20 a second in total) give UNAVAILABLE and don't
 * apply to a browser that the user signed in with before. All windows expire. Only an attempt that calls `countTry`
 * counts.
 * @throws AppError RATE_LIMITED or UNAVAILABLE, with the seconds to wait; UNAVAILABLE if 100 attempts are already waiting
 */
export async function limitSignInAttempts<Result>(
  context: Context,
  email: string,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return inAttemptSlot(toRateLimitAddress(context.origin.ip), async () => {
    const device = await findKnownDevice(context, email);
    const limits = device ? getKnownDeviceLimits(device) : getStrangerLimits(context, email);
    return limitAttempts(context, [getAddressLimit(context), ...limits], attempt);
  });
}

/** Returns whether a sign-in was rejected because of too many wrong passwords, by the caller or for the email. */
export function isSignInLocked(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "RATE_LIMITED" || error.message === UNDER_ATTACK);
}

/** Returns whose wrong passwords rejected a sign-in as {@link isSignInLocked} says: an IP address's, or those for one email. */
export async function findReachedLimit(context: Context): Promise<"address" | "email"> {
  return (await context.rateLimits.findWindowEnd(...getAddressLimit(context))) ? "address" : "email";
}

/** Limits the password checks of a signed-in user, in addition to the 60 a minute of their IP address. */
export function limitPasswordChecks<Result>(
  context: Context,
  limits: AttemptLimits,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return limitAttempts(context, [getAddressLimit(context), ...limits], attempt);
}

/** Clears the per-minute count of wrong passwords after a correct one. The hourly counts stay. */
export async function clearSignInMinute(context: Context, email: string): Promise<void> {
  await context.rateLimits.clear(
    getEmailLimits(context, email).filter(([name]) => name === "signInByAddressAndEmail" || name.endsWith("PerMinute")),
  );
}

/** Clears all wrong passwords of an account after a password reset. */
export async function clearSignInLimits(context: Context, email: string): Promise<void> {
  await context.rateLimits.clear(getEmailLimits(context, email));
}

/**
 * Returns when an account with too many wrong passwords accepts sign-ins from new browsers again; null if it does now.
 */
export async function findSignInBlock({ rateLimits }: Context, email: string): Promise<Date | null> {
  const name = email.toLowerCase();
  const ends = await Promise.all([
    rateLimits.findWindowEnd("signInByEmailPerMinute", name),
    rateLimits.findWindowEnd("signInByEmailPerHour", name),
  ]);
  return ends.reduce((latest, end) => (end && (!latest || end > latest) ? end : latest), null);
}

const getAddressLimit = ({ origin }: Context) => ["passwordByAddress", toRateLimitAddress(origin.ip)] as const;

function getKnownDeviceLimits(device: string): AttemptLimits {
  return [
    ["signInByKnownDevicePerMinute", device],
    ["signInByKnownDevicePerHour", device],
  ];
}

function getStrangerLimits(context: Context, email: string): AttemptLimits {
  const isUnderAttack = (retryAfterSeconds = 60) =>
    new AppError("UNAVAILABLE", { message: UNDER_ATTACK, retryAfterSeconds });
  const isBusy = (retryAfterSeconds = 2) => new AppError("UNAVAILABLE", { retryAfterSeconds });
  return [
    ...getEmailLimits(context, email).map(([name, key]) =>
      name.startsWith("signInByEmail") ? ([name, key, isUnderAttack] as const) : ([name, key] as const),
    ),
    // The last, so attempts that another limit rejects don't use it up.
    ["passwordInTotal", "", isBusy],
  ];
}

function getEmailLimits({ origin }: Context, email: string): readonly (readonly [RateLimitName, string])[] {
  const name = email.toLowerCase();
  const place = `${toRateLimitAddress(origin.ip)} ${name}`;
  return [
    ["signInByAddressAndEmail", place],
    ["signInByAddressAndEmailPerHour", place],
    ["signInByEmailPerMinute", name],
    ["signInByEmailPerHour", name],
  ];
}
