import { MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { recordRevocations } from "#api/licensing/licences/revoke-licences.ts";
import { recordLicenceWebhooks, recordSuspensions } from "#api/licensing/licences/licence-webhook-data.ts";
import { endReplacedLicences } from "./end-replaced-licences.ts";
import { endsLicence, getLicenceEnd } from "./payment-rules.ts";
import type { SubscriptionSnapshot } from "./record-subscription-change.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Updates the licence to match the payments (docs/domain.md#licence-follows-payment). It expires 3 days after the paid
 * period, or exactly at its end if the subscription is cancelled. Its level changes when the new plan has been paid
 * for. A refund revokes it unless staff keep it. A disputed payment and a pause suspend it
 * until they end. A date that staff set stays until a payment, a cancellation or a pause moves the end.
 * @param before values before the sync. If the subscription had already ended, only the outcome of a dispute still counts
 */
export async function applyToLicence(
  context: Context,
  em: EntityManager,
  user: User,
  subscription: Subscription,
  found: ProviderSubscription,
  before: SubscriptionSnapshot,
): Promise<void> {
  const { licence } = subscription;
  const isHistory = before.status === "cancelled" && found.status === "ended";
  const now = context.clock.now();
  const record = (kind: LicenceEventKind) => recordLicenceEvent(context, em, { kind, licenceId: licence.id });
  if (found.invoices.some(endsLicence)) {
    if (licence.revokedAt) return;
    licence.revokedAt = now;
    record("revoke");
    await recordRevocations(context, em, [licence], "payment-returned");
    return;
  }
  const isDisputed =
    (!isHistory || subscription.disputedAt !== null) && found.invoices.some((invoice) => invoice.dispute === "open");
  const wasSuspended = subscription.disputedAt !== null || before.pausedUntil !== null;
  subscription.disputedAt = isDisputed ? (subscription.disputedAt ?? now) : null;
  await suspendLicence(context, em, user, subscription, { wasSuspended });
  // Staff may have extended the licence since the subscription ended.
  if (isHistory) return;
  const changes: LicenceEventKind[] = [];
  const end = findLicenceEnd(subscription, subscription);
  if (end && end.getTime() !== findLicenceEnd(before, subscription)?.getTime()) {
    const { expiresAt } = licence;
    licence.expiresAt = end;
    // The provider reports whole seconds, so smaller differences aren't recorded as changes.
    const movedMs = licence.expiresAt.getTime() - expiresAt.getTime();
    if (Math.abs(movedMs) >= MINUTE) changes.push(movedMs > 0 ? "extend" : "shorten");
  }
  // An invoice may have given the licence of a cancelled subscription another level.
  const hasPaidPlan =
    found.status === "active" && !(found.isCancelledAtPeriodEnd && found.priceId === before.planPrice);
  const paidLevel = hasPaidPlan ? await findProductLevel(em, found.priceId) : licence.productLevel;
  const hasNewLevel = paidLevel !== licence.productLevel;
  licence.productLevel = paidLevel;
  if (hasNewLevel) changes.push("change");
  for (const kind of changes) record(kind);
  // One event, because receivers can't tell which of two at the same moment is the newer.
  if (changes.length > 0) await recordLicenceWebhooks(context, em, "licence.changed", [licence]);
  if (hasNewLevel) await endReplacedLicences(context, em, user, licence);
}

function findLicenceEnd(
  { paidUntil, isCancelledAtPeriodEnd }: Pick<Subscription, "paidUntil" | "isCancelledAtPeriodEnd">,
  { licenceExtendedUntil }: Subscription,
): Date | null {
  return paidUntil && getLicenceEnd(paidUntil, { isCancelledAtPeriodEnd, licenceExtendedUntil });
}

async function findProductLevel(em: EntityManager, priceId: string): Promise<number> {
  return (await em.findOneOrFail(PlanPrice, priceId, { populate: ["plan"] })).plan.productLevel;
}

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
  const record = (kind: "suspend" | "reinstate") => recordLicenceEvent(context, em, { kind, licenceId: licence.id });
  if (isSuspended && !wasSuspended && !licence.suspendedAt) {
    licence.suspendedAt = context.clock.now();
    // A revoked licence doesn't work before and after.
    if (licence.revokedAt) return;
    record("suspend");
    await recordSuspensions(context, em, [licence], pausedUntil === null ? "disputed" : "paused");
  }
  if (!isSuspended && wasSuspended && !user.archivedAt && licence.suspendedAt) {
    licence.suspendedAt = null;
    if (licence.revokedAt) return;
    record("reinstate");
    await recordSuspensions(context, em, [licence], null);
  }
}
