import { hash, verify } from "@node-rs/argon2";
import { cleanText } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { generateSecret } from "#api/platform/keys/secrets.ts";
import { createFairQueue } from "#api/platform/limits/fair-queue.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { limitPasswordChecks } from "./sign-in-limits.ts";

/** Argon2id (the library's default) with the parameters OWASP recommends: 19 MiB of memory, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// More concurrent hashes would starve licence validation of processor time, and a longer queue would time out anyway.
const inHashingSlot = createFairQueue(
  { running: 4, waiting: 50 },
  () => new AppError("UNAVAILABLE", { retryAfterSeconds: 2 }),
);

/** Work without a request, such as jobs, waits as one caller. */
type Caller = Pick<Context, "origin"> | null;

const toQueueName = (caller: Caller): string => (caller ? toRateLimitAddress(caller.origin.ip) : "");

/**
 * Returns the hash of a password for storage.
 * @param caller shares its places in the queue with other requests from its IP address
 * @throws AppError UNAVAILABLE if 50 passwords are already waiting.
 */
export function hashPassword(password: string, caller: Caller = null): Promise<string> {
  return inHashingSlot(toQueueName(caller), () => hash(password, options));
}

/** Returns the hash of a password that nobody knows. Waits and fails as {@link hashPassword} does. */
export function hashUnusablePassword(caller: Caller = null): Promise<string> {
  return hashPassword(generateSecret(), caller);
}

/**
 * Lists the spellings that a password may have been stored in: cleaned, as rules clean new passwords, and as typed, with
 * accents composed or not. Most passwords have only one.
 */
function listSpellings(password: string): ReadonlySet<string> {
  return new Set([cleanText(password), password, password.normalize("NFC"), password.normalize("NFD")]);
}

let decoyHash: Promise<string> | undefined;

/**
 * Returns whether a password matches a hash. With `null` it takes as long as a real check and returns false, so that
 * response times don't reveal unknown accounts.
 * @param caller shares its places in the queue with other requests from its IP address
 * @throws AppError UNAVAILABLE if 50 passwords are already waiting.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  caller: Caller = null,
): Promise<boolean> {
  decoyHash ??= hash("no account has this password 0", options);
  const decoy = await decoyHash;
  for (const spelling of listSpellings(password)) {
    const right = await inHashingSlot(toQueueName(caller), () => verify(passwordHash ?? decoy, spelling));
    if (right && passwordHash !== null) return true;
  }
  return false;
}

/**
 * Returns whether a signed-in user repeated their password correctly before a sensitive change. Only wrong passwords
 * count against the limits.
 * @throws AppError RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, or 60 a minute from the IP address; UNAVAILABLE if too many passwords are
 * waiting to be checked.
 */
export async function verifyExistingPassword(
  context: Context,
  user: { readonly id: string; readonly passwordHash: string },
  password: string,
): Promise<boolean> {
  const limits = [
    ["existingPasswordPerMinute", user.id],
    ["existingPasswordPerHour", user.id],
  ] as const;
  const isRight = await limitPasswordChecks(context, limits, async (countTry) => {
    const right = await verifyPassword(user.passwordHash, password, context);
    if (!right) countTry();
    return right;
  });
  if (isRight) await context.rateLimits.clear([["existingPasswordPerMinute", user.id]]);
  return isRight;
}
