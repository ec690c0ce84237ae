import { VIEW_ONLY } from "#schema/error-codes.ts";
import type { Actor } from "./context.ts";
import { AppError } from "./errors.ts";

/** What a view of the portal as a customer may change: itself. */
const endsTheView = "Mutation.signOut";

/** Reads that change something all the same, or that hand out everything about a person at once. */
const guardedReads: ReadonlySet<string> = new Set([
  // A wrong code counts against the customer.
  "Query.deviceAuthorization",
  "GET /v1/subscriptions/create-trial",
  "GET /v1/core/accounts/resend-confirmation-email/:handle",
  "GET /v1/core/accounts/my-data",
]);

/** Whether a row of `api/app/permissions.ts` is closed to an admin who views the portal as a customer (decision 0035). */
export function isClosedToViewers(row: string): boolean {
  if (row === endsTheView) return false;
  return row.startsWith("Mutation.") || /^(?!GET )[A-Z]+ /.test(row) || guardedReads.has(row);
}

/**
 * Refuses what a view of the portal as a customer must not do. Stands before {@link admit} at both doors: where a field's
 * `@Allow` is checked, and before a route's body is read.
 * @throws AppError FORBIDDEN with the reason VIEW_ONLY.
 */
export function refuseToViewers(row: string, actor: Actor | null): void {
  if (actor?.viewerId !== undefined && isClosedToViewers(row))
    throw new AppError("FORBIDDEN", { message: VIEW_ONLY, reason: "VIEW_ONLY" });
}
