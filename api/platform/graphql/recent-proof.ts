import { SESSION_ONLY } from "#schema/error-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Checks that the caller proved their identity in this session in the last 10 minutes, by signing in or with
 * `proveIdentity` (decision 0059). Internal work without a caller passes.
 * @throws AppError STEP_UP_REQUIRED; FORBIDDEN with the reason SESSION_ONLY for personal access tokens, which can't prove
 * an identity
 */
export function requireRecentProof({ actor }: Pick<Context, "actor">): void {
  if (!actor) return;
  if (actor.token) throw new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
  if (!actor.hasRecentProof) throw new AppError("STEP_UP_REQUIRED");
}
