import type { Context } from "./context.ts";
import { AppError } from "./errors.ts";
import type { RateLimitName, TakenPoint } from "./rate-limits.ts";

/** What an attempt is counted against: limits and the keys they are counted by. */
export type CountedBy = readonly (readonly [RateLimitName, string])[];

/**
 * Runs an attempt that counts against its limits only if it calls `countTry`, as for a wrong password. The points are
 * taken first, so parallel attempts never exceed a limit, and returned if the attempt succeeds or fails for any other
 * reason.
 * @throws AppError RATE_LIMITED with the seconds to wait; nothing is counted then.
 */
export async function limitTries<Result>(
  context: Pick<Context, "rateLimits" | "log">,
  countedBy: CountedBy,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  const taken = await takeAll(context, countedBy);
  let counts = false;
  try {
    return await attempt(() => {
      counts = true;
    });
  } finally {
    if (!counts) await giveBackAll(context, taken);
  }
}

/**
 * Runs a request that counts against its limits unless the server fails to serve it, as when the database is away.
 * @throws AppError RATE_LIMITED with the seconds to wait.
 */
export function limitServed<Result>(
  context: Pick<Context, "rateLimits" | "log">,
  countedBy: CountedBy,
  serve: () => Promise<Result>,
): Promise<Result> {
  return limitTries(context, countedBy, async (countTry) => {
    try {
      const result = await serve();
      countTry();
      return result;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) countTry();
      throw error;
    }
  });
}

async function takeAll(context: Pick<Context, "rateLimits" | "log">, countedBy: CountedBy): Promise<TakenPoint[]> {
  const taken: TakenPoint[] = [];
  try {
    for (const [name, key] of countedBy) taken.push(await context.rateLimits.take(name, key));
    return taken;
  } catch (error) {
    await giveBackAll(context, taken);
    throw error;
  }
}

/** Returns points; a failure is logged only, because the points expire and the answer must not change. */
async function giveBackAll(
  { rateLimits, log }: Pick<Context, "rateLimits" | "log">,
  taken: readonly TakenPoint[],
): Promise<void> {
  for (const point of taken)
    try {
      await rateLimits.giveBack(point);
    } catch (error) {
      log.warn({ err: error, limit: point.name }, "a rate limit point could not be returned");
      return;
    }
}
