import type { Context } from "#api/platform/context.ts";
import { AppError, isStatementTimeout } from "#api/platform/errors.ts";

/**
 * Executes a query that a user is waiting for, and explains a statement timeout to them.
 * @throws AppError UNAVAILABLE with advice to the user if the statement times out.
 */
export async function explainTimeout<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new AppError("UNAVAILABLE", {
      message: "This date range has too much data to show here. Choose a shorter range, or download the report.",
    });
  }
}

/**
 * Executes a query for the reports page with a rate limit and the usual statement timeout.
 * @throws AppError RATE_LIMITED after 300 calls in ten minutes, UNAVAILABLE if the statement times out.
 */
export async function withPreviewLimits<Result>(
  context: Context,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  await context.rateLimits.take("reportPreview", context.actor?.userId ?? context.origin.ip);
  return explainTimeout(() => work(context));
}
