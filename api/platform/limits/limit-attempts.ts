import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import type { RateLimitName, TakenPoint } from "./rate-limits.ts";

/**
 * Rate limits that an attempt counts against, with their keys. The third part creates the error to throw instead of
 * RATE_LIMITED, for limits that other callers can reach.
 */
export type AttemptLimits = readonly (readonly [
  name: RateLimitName,
  key: string,
  toRefusal?: (retryAfterSeconds: number | undefined) => AppError,
])[];

/**
 * Runs an attempt that counts against its limits only if it calls `countTry`, for example for a wrong password. The points
 * are taken first, so parallel attempts never exceed a limit. They are returned if the attempt succeeds or fails for
 * another reason.
 * @throws AppError RATE_LIMITED with the seconds to wait, or the limit's own refusal; in that case nothing is counted
 */
export async function limitAttempts<Result>(
  context: Pick<Context, "rateLimits" | "log">,
  countedBy: AttemptLimits,
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
 * Runs a request that counts against its limits unless it fails because of a server error, such as an unavailable
 * database.
 * @throws AppError RATE_LIMITED with the seconds to wait
 */
export function limitServedRequests<Result>(
  context: Pick<Context, "rateLimits" | "log">,
  countedBy: AttemptLimits,
  serve: () => Promise<Result>,
): Promise<Result> {
  return limitAttempts(context, countedBy, async (countTry) => {
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

async function takeAll(context: Pick<Context, "rateLimits" | "log">, countedBy: AttemptLimits): Promise<TakenPoint[]> {
  const taken: TakenPoint[] = [];
  try {
    for (const [name, key, toRefusal] of countedBy)
      taken.push(
        await context.rateLimits.take(name, key).catch((error: unknown) => {
          const isRefused = error instanceof AppError && error.code === "RATE_LIMITED";
          throw isRefused && toRefusal ? toRefusal(error.retryAfterSeconds) : error;
        }),
      );
    return taken;
  } catch (error) {
    await giveBackAll(context, taken);
    throw error;
  }
}

/**
 * Returns points to their limits. A failure is only logged, so that the response doesn't change. The points expire
 * anyway.
 */
async function giveBackAll(
  { rateLimits, log }: Pick<Context, "rateLimits" | "log">,
  taken: readonly TakenPoint[],
): Promise<void> {
  if (taken.length === 0) return;
  try {
    await rateLimits.returnPoints(taken);
  } catch (error) {
    log.warn({ err: error, limits: taken.map(({ name }) => name) }, "rate limit points couldn't be returned");
  }
}
