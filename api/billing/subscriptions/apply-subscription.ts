import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { isBelowCardMinimum } from "#schema/money.ts";
import { MemberType } from "#schema/user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { subscriptionStarted } from "#api/messaging/emails/templates/subscription-started.tsx";
import { getGstBasisPoints } from "#api/billing/plans/price-quote.ts";
import { PlanPrice } from "#api/billing/plans/plan.entity.ts";
import {
  takeSubscriptionSnapshot,
  findSubscriptionChanges,
  recordSubscriptionChange,
} from "./record-subscription-change.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { applyToCheckout } from "./apply-to-checkout.ts";
import { findNextChargeCents, requeueMove, toCharged } from "./next-charge.ts";
import { emailPlanChange, emailPaymentChanges } from "./email-changes.ts";
import { applyToLicence } from "./apply-to-licence.ts";
import { endReplacedLicences } from "./end-replaced-licences.ts";
import { getPauseEnd, recordPause } from "./record-pause.ts";
import {
  endsLicence,
  findChargesToRefund,
  type Correction,
  isRefundable,
  getPaidUntil,
  PAYMENT_GRACE_MS,
} from "./payment-rules.ts";
import { isRunning, Subscription } from "./subscription.entity.ts";
import { SubscriptionChange } from "./subscription-changes.entity.ts";

/**
 * Saves a subscription as the provider reports it: the row, its licence, emails and webhook events. Runs in the
 * transaction of `em`, which must hold the lock on `user`.
 * @returns corrections to send to the provider, such as refunding a second subscription or cancelling an unpaid one.
 */
export async function applySubscription(
  context: Context,
  em: EntityManager,
  user: User,
  found: ProviderSubscription,
): Promise<Correction[]> {
  const known = await em.findOne(
    Subscription,
    { providerSubscriptionId: found.id },
    { populate: ["licence"], refresh: true },
  );
  if (!known && !found.invoices.some(({ status }) => status === "paid")) return applyToCheckout(context, em, found);

  const subscription = known ?? (await createSubscription(context, em, user, found));
  if (!subscription) {
    await applyToCheckout(context, em, found, { isSecond: true });
    return endUnwanted(context, found);
  }
  if (!known) await applyToCheckout(context, em, found);
  const before = takeSubscriptionSnapshot(subscription);
  await updateFromProvider(em, subscription, found);
  subscription.pausedUntil = getPauseEnd(context, found);
  if (user.deletedAt) Object.assign(subscription, { cardBrand: null, cardLast4: null, cardExpires: null });
  await applyToLicence(context, em, user, subscription, found, before);
  if (known) await emailPaymentChanges(context, em, user, before, subscription, found);
  await em.flush();
  await recordPause(context, em, user, subscription, before);
  if (known) await emailPlanChange(context, em, user, before, subscription);
  const changes = findSubscriptionChanges(before, subscription);
  if (changes.includes("plan-change-withdrawn")) await requeueMove(em, subscription, context.clock.now());
  await recordSubscriptionChange(context, em, subscription, known ? changes : ["begun"]);
  const corrections = getCorrections(context, user, subscription, found);
  subscription.cancellationPendingSince =
    user.archivedAt && corrections.some(({ kind }) => kind !== "set-gst")
      ? (subscription.cancellationPendingSince ?? context.clock.now())
      : null;
  return corrections;
}

/**
 * Maximum age of payments that are refunded automatically, in milliseconds. Staff decide about older ones, for example
 * after a backup is restored.
 */
const AUTO_REFUND_MS = 3 * DAY;

/** Returns the corrections that end a subscription that wasn't accepted and refund its recent payments. */
function endUnwanted({ clock }: Context, { id, status, invoices }: ProviderSubscription): Correction[] {
  const since = addMilliseconds(clock.now(), -AUTO_REFUND_MS);
  const refunds = invoices
    .filter((invoice) => isRefundable(invoice) && (invoice.paidAt ?? since) > since)
    .map((invoice) => ({ kind: "refund", subscriptionId: id, invoiceId: invoice.id }) as const);
  return status === "ended" ? refunds : [{ kind: "cancel", subscriptionId: id }, ...refunds];
}

/**
 * Creates a new subscription and its licence. Returns null if it has ended, or if the customer already has a running one,
 * is archived or isn't a regular customer.
 */
async function createSubscription(
  context: Context,
  em: EntityManager,
  user: User,
  found: ProviderSubscription,
): Promise<Subscription | null> {
  // A payment that was in progress when the account was archived is refunded, because its licence couldn't be used. So is
  // one from before a change of the member type, because only regular customers can manage a subscription.
  if (found.status === "ended" || user.archivedAt || user.memberType !== MemberType.Regular) return null;
  if ((await em.count(Subscription, { user: user.id, ...isRunning })) > 0) return null;
  const { plan } = await em.findOneOrFail(PlanPrice, found.priceId, { populate: ["plan"] });
  const licence = issueLicence(context, em, user, {
    productLevel: plan.productLevel,
    expiresAt: addMilliseconds(getPaidUntil(found) ?? found.periodEnd, PAYMENT_GRACE_MS),
  });
  const subscription = em.create(Subscription, {
    user,
    licence,
    providerSubscriptionId: found.id,
    planPrice: found.priceId,
    status: "active",
    startedAt: found.startedAt,
    currentPeriodEndsAt: found.periodEnd,
  });
  await em.flush();
  await recordLicenceWebhooks(context, em, "licence.issued", [licence]);
  await endReplacedLicences(context, em, user, licence);
  const amountCents = found.invoices.find(({ status }) => status === "paid")?.totalCents ?? 0;
  const deferredCents = isBelowCardMinimum(amountCents) ? amountCents : 0;
  const renewalCents = await findNextChargeCents(em, toCharged(subscription, found));
  await emailUserOnce(context, em, user, `subscription-started:${found.id}`, subscriptionStarted, {
    plan: plan.name,
    licenceCode: licence.licenceCode,
    amountCents,
    nextPayment: { amountCents: renewalCents === null ? null : renewalCents + deferredCents, at: found.periodEnd },
  });
  return subscription;
}

async function updateFromProvider(
  em: EntityManager,
  subscription: Subscription,
  found: ProviderSubscription,
): Promise<void> {
  // Discard the quotes from an earlier period, because a price quoted for the rest of one period doesn't apply to the
  // next.
  if (subscription.currentPeriodEndsAt.getTime() !== found.periodEnd.getTime())
    await em.nativeDelete(SubscriptionChange, { subscription: subscription.id, doneAt: null });
  subscription.status = found.status === "active" || found.status === "past_due" ? found.status : "cancelled";
  subscription.planPrice = found.priceId;
  subscription.amountCents = found.amountCents;
  subscription.currentPeriodEndsAt = found.periodEnd;
  subscription.paidUntil = getPaidUntil(found);
  subscription.movedUntil = found.movedUntil;
  subscription.isCancelledAtPeriodEnd = found.isCancelledAtPeriodEnd;
  subscription.nextPlanPrice = found.nextPriceId;
  subscription.nextAmountCents = found.nextAmountCents;
  subscription.endedAt = found.endedAt;
  subscription.gstBasisPoints = found.gstBasisPoints;
  subscription.cardBrand = found.card?.brand ?? null;
  subscription.cardLast4 = found.card?.last4 ?? null;
  subscription.cardExpires = found.card ? formatExpiry(found.card) : null;
}

function getCorrections(
  { clock }: Context,
  user: User,
  subscription: Subscription,
  found: ProviderSubscription,
): Correction[] {
  const refunds = findChargesToRefund(user, found.invoices, clock.now()).map(
    (invoice) => ({ kind: "refund", subscriptionId: found.id, invoiceId: invoice.id }) as const,
  );
  return [...getSubscriptionCorrections(user, subscription, found), ...refunds];
}

function getSubscriptionCorrections(user: User, { licence }: Subscription, found: ProviderSubscription): Correction[] {
  if (found.status === "ended") return [];
  // A customer doesn't pay for a deactivated licence.
  if (user.deletedAt || licence.revokedAt || found.invoices.some(endsLicence))
    return [{ kind: "cancel", subscriptionId: found.id }];
  // A paid period continues, because the user may come back. After a failed renewal there is no paid time left.
  if (user.archivedAt && found.status === "past_due") return [{ kind: "cancel", subscriptionId: found.id }];
  if (user.archivedAt && !found.isCancelledAtPeriodEnd)
    return [{ kind: "cancel-at-period-end", subscriptionId: found.id }];
  const gstBasisPoints = getGstBasisPoints(user.country);
  return gstBasisPoints === found.gstBasisPoints ? [] : [{ kind: "set-gst", subscriptionId: found.id, gstBasisPoints }];
}

function formatExpiry({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }): string {
  return `${String(expiryMonth).padStart(2, "0")}/${String(expiryYear % 100).padStart(2, "0")}`;
}
