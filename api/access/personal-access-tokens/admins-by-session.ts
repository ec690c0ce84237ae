import { MemberType } from "#schema/catalogue.ts";
import { SESSION_ONLY } from "#schema/error-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Keeps personal access tokens from making, changing or closing an admin's account: with such a token somebody could give
 * themselves all that tokens are kept from (decision 0050).
 * @throws AppError FORBIDDEN with the reason SESSION_ONLY.
 */
export function keepAdminsToSessions({ actor }: Pick<Context, "actor">, ...types: readonly number[]): void {
  if (actor?.token && types.includes(MemberType.Admin))
    throw new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
}
