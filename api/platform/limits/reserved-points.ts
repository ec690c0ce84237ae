import { readMachineClock, SECOND } from "#api/platform/clock.ts";
import { type RateLimitName, rateLimitPoints, type RateLimits } from "./rate-limits.ts";

/** Points that one process has taken for a key and not used yet. */
interface Reserve {
  left: number;
  readonly endsAt: number;
}

/** Number of keys to remember before the expired ones are deleted. */
const MOST_KEYS = 10_000;

/**
 * Creates a function that takes points of a limit which all processes share, but reserves `chunk` points at a time. This
 * costs one statement for each chunk instead of each request, for generous limits on hot paths. A key may lose up to one
 * chunk in each process.
 * @returns a function that throws AppError RATE_LIMITED if fewer than `chunk` points are left
 */
export function createReservedPoints(
  services: { readonly rateLimits: RateLimits },
  name: RateLimitName,
  chunk: number,
): (key: string, points: number) => Promise<void> {
  // Points of one table are worth nothing in another.
  const reservesOf = new WeakMap<RateLimits, Map<string, Reserve>>();
  return async (key, points) => {
    const { rateLimits } = services;
    const reserves = reservesOf.get(rateLimits) ?? new Map<string, Reserve>();
    reservesOf.set(rateLimits, reserves);
    const now = readMachineClock();
    const reserve = reserves.get(key);
    if (reserve && reserve.left >= points && reserve.endsAt > now) {
      reserve.left -= points;
      return;
    }
    const taken = Math.max(chunk, points);
    await rateLimits.take(name, key, taken);
    if (reserves.size >= MOST_KEYS) for (const [old, { endsAt }] of reserves) if (endsAt <= now) reserves.delete(old);
    reserves.set(key, { left: taken - points, endsAt: now + rateLimitPoints[name].seconds * SECOND });
  };
}
