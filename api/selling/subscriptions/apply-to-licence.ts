import { ResultCode } from "#schema/catalogue.ts";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/payments.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { LicenceEventKind } from "#api/licensing/licences/licence-event.entity.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";
import { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { recordRevocations } from "#api/licensing/licences/record-revocations.ts";
import { endReplacedLicences } from "./end-replaced-licences.ts";
import { isGivenBack, PAYMENT_GRACE_MS } from "./payment-rules.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Lets the licence follow the money (docs/domain.md#licence-follows-payment): it runs to the end of what was paid and 3
 * days more, or just to the end when the subscription was cancelled; its level is the plan's once that is paid; a
 * payment given back in full revokes it, a disputed one suspends it until the dispute is over.
 */
export async function applyToLicence(
  context: Context,
  em: EntityManager,
  user: User,
  subscription: Subscription,
  found: ProviderSubscription,
  { isHistory }: { isHistory: boolean },
): Promise<void> {
  const { licence } = subscription;
  const now = context.clock.now();
  const note = (kind: LicenceEventKind) =>
    noteLicenceEvent(context, em, { kind, resultCode: ResultCode.VALID, licenceId: licence.id });
  if (found.invoices.some(isGivenBack)) {
    if (licence.revokedAt) return;
    licence.revokedAt = now;
    note("revoke");
    await recordRevocations(context, em, [licence], "payment-returned");
    return;
  }
  if (isHistory) return;
  const isDisputed = found.invoices.some((invoice) => invoice.dispute === "open");
  if (isDisputed && !subscription.disputedAt) {
    subscription.disputedAt = now;
    if (!licence.suspendedAt) note("suspend");
    licence.suspendedAt ??= now;
  }
  if (!isDisputed && subscription.disputedAt) {
    subscription.disputedAt = null;
    if (!user.archivedAt && licence.suspendedAt) {
      licence.suspendedAt = null;
      note("reinstate");
    }
  }
  if (subscription.paidUntil) {
    const { expiresAt } = licence;
    licence.expiresAt = found.isCancelledAtPeriodEnd
      ? subscription.paidUntil
      : after(subscription.paidUntil, PAYMENT_GRACE_MS);
    // The provider tells whole seconds: what is left of one is no change that anybody would look for.
    const movedMs = licence.expiresAt.getTime() - expiresAt.getTime();
    if (Math.abs(movedMs) >= MINUTE) note(movedMs > 0 ? "extend" : "shorten");
  }
  if (found.status !== "active") return;
  const { plan } = await em.findOneOrFail(PlanPrice, found.priceId, { populate: ["plan"] });
  if (licence.productLevel === plan.productLevel) return;
  licence.productLevel = plan.productLevel;
  note("change");
  await endReplacedLicences(context, em, user, licence);
}
