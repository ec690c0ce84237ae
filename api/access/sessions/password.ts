import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#api/platform/errors.ts";

/** Argon2id (the library's default) with the parameters OWASP recommends: 19 MiB of memory, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// More concurrent hashes would starve licence validation of processor time, and a longer queue would time out anyway.
const maxConcurrent = 4;
const maxQueued = 50;
let running = 0;
const waiting: (() => void)[] = [];

async function withHashingSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= maxConcurrent) {
    if (waiting.length >= maxQueued) throw new AppError("UNAVAILABLE", { retryAfterSeconds: 2 });
    await new Promise<void>((proceed) => waiting.push(proceed));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/**
 * Returns the hash of a password for storage.
 * @throws AppError UNAVAILABLE if 50 passwords are already waiting.
 */
export function hashPassword(password: string): Promise<string> {
  return withHashingSlot(() => hash(password, options));
}

let decoyHash: Promise<string> | undefined;

/**
 * Returns whether a password matches a hash. With `null` it takes as long as a real check and returns false, so that
 * response times don't reveal unknown accounts.
 * @throws AppError UNAVAILABLE if 50 passwords are already waiting.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword("no account has this password 0");
  const decoy = await decoyHash;
  const right = await withHashingSlot(() => verify(passwordHash ?? decoy, password));
  return right && passwordHash !== null;
}
