import { MemberType } from "#schema/catalogue.ts";
import { SESSION_ONLY } from "#schema/error-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Throws if the caller uses a personal access token and one of the member types is admin. Otherwise a token could
 * create, change or close an admin account and so gain every right that tokens don't have (decision 0050).
 * @throws AppError FORBIDDEN with the reason SESSION_ONLY.
 */
export function requireSessionForAdminChanges({ actor }: Pick<Context, "actor">, ...types: readonly number[]): void {
  if (actor?.token && types.includes(MemberType.Admin))
    throw new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
}
