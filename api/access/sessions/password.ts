import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#api/platform/errors.ts";

/** Argon2id (the library's default) as OWASP advises for this memory: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// More at once would starve validation of processor time; a longer queue would time out anyway.
const atOnce = 4;
const queueLength = 50;
let running = 0;
const waiting: (() => void)[] = [];

async function hashing<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= queueLength) throw new AppError("UNAVAILABLE", { retryAfterSeconds: 2 });
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
 * Hash of a password, as stored.
 * @throws AppError UNAVAILABLE when 50 are already waiting.
 */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, options));
}

let decoyHash: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. With `null` it takes as long as a real check and
 * says no, so that an unknown account cannot be told by time.
 * @throws AppError UNAVAILABLE when 50 are already waiting.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword("no account has this password 0");
  const decoy = await decoyHash;
  const right = await hashing(() => verify(passwordHash ?? decoy, password));
  return right && passwordHash !== null;
}
