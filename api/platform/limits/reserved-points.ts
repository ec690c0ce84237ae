import { readMachineClock, SECOND } from "#api/platform/clock.ts";
import { type RateLimitName, rateLimitPoints, type RateLimits } from "./rate-limits.ts";

/** Points that one process has taken for a key and not used yet. */
interface Reserve {
  left: number;
  endsAt: number;
  /** The statement that takes more points, for which all requests of the key wait. */
  taking?: { readonly points: number; readonly done: Promise<void> } | undefined;
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
    const reserve = reserves.get(key) ?? { left: 0, endsAt: 0 };
    reserves.set(key, reserve);
    const wanted = Math.max(chunk, points);
    const takeMore = async (): Promise<void> => {
      if (reserves.size >= MOST_KEYS)
        for (const [old, { endsAt, taking }] of reserves)
          if (old !== key && !taking && endsAt <= now) reserves.delete(old);
      await rateLimits.take(name, key, wanted);
      reserve.left = wanted;
      reserve.endsAt = now + rateLimitPoints[name].seconds * SECOND;
    };
    // Requests that arrive together share a chunk. Each of them would otherwise take its own, and all but one be lost.
    while (reserve.left < points || reserve.endsAt <= now) {
      const taking = (reserve.taking ??= {
        points: wanted,
        done: takeMore().finally(() => (reserve.taking = undefined)),
      });
      // Where an expensive request is refused, a cheaper one may still be within the limit.
      await (taking.points > wanted ? taking.done.catch(() => {}) : taking.done);
    }
    reserve.left -= points;
  };
}
