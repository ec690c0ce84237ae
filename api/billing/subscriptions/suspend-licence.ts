import { ResultCode } from "#schema/result-code.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { recordSuspensions } from "#api/licensing/licences/licence-webhook-data.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Suspends the licence of a disputed or paused subscription, and reinstates it when neither applies any more. An archived
 * user's licence stays suspended. Runs in the transaction of `em`, which must have the lock on `user`.
 * @param before `wasSuspended`: whether a dispute or a pause suspended the licence until now
 */
export async function suspendLicence(
  context: Context,
  em: EntityManager,
  user: User,
  { licence, disputedAt, pausedUntil }: Subscription,
  { wasSuspended }: { wasSuspended: boolean },
): Promise<void> {
  const isSuspended = disputedAt !== null || pausedUntil !== null;
  const record = (kind: "suspend" | "reinstate") =>
    recordLicenceEvent(context, em, { kind, resultCode: ResultCode.VALID, licenceId: licence.id });
  if (isSuspended && !wasSuspended && !licence.suspendedAt) {
    licence.suspendedAt = context.clock.now();
    record("suspend");
    await recordSuspensions(context, em, [licence], pausedUntil === null ? "disputed" : "paused");
  }
  if (!isSuspended && wasSuspended && !user.archivedAt && licence.suspendedAt) {
    licence.suspendedAt = null;
    record("reinstate");
    await recordSuspensions(context, em, [licence], null);
  }
}
