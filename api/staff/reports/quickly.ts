import type { Context } from "#api/platform/context.ts";
import { AppError, isTimeUp } from "#api/platform/errors.ts";

/**
 * Does what somebody waits for, as long as the database gives a statement of the portal.
 * @throws AppError UNAVAILABLE with what to do when the time was up.
 */
export async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    throw new AppError("UNAVAILABLE", {
      message: "These dates hold too much to look through at once. Choose a shorter range, or download the report.",
    });
  }
}

/**
 * Does what a page of a report shows beside its form: limited, and given up by the database after the time that a
 * statement of the portal has.
 * @throws AppError RATE_LIMITED after 300 in ten minutes; UNAVAILABLE with what to do when the time was up.
 */
export async function quickly<Result>(context: Context, work: (context: Context) => Promise<Result>): Promise<Result> {
  await context.rateLimits.take("reportPreview", context.actor?.userId ?? context.origin.ip);
  return inTime(() => work(context));
}
