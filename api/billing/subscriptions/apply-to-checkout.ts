import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { redeemPromoCode, releasePromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { Checkout } from "./checkout.entity.ts";
import type { Correction } from "./payment-rules.ts";

/**
 * Saves the outcome of a checkout and redeems or releases its promo code. A checkout that has ended doesn't change,
 * unless it was paid after all.
 * @returns the correction that cancels a subscription which can no longer be paid.
 */
export async function applyToCheckout(
  context: Context,
  em: EntityManager,
  found: ProviderSubscription,
  { isSecond = false } = {},
): Promise<Correction[]> {
  const checkout = found.checkoutId ? await em.findOne(Checkout, found.checkoutId, { refresh: true }) : null;
  const isOpen = checkout?.state === "open" || checkout?.state === "needs_authentication";
  if (checkout) checkout.providerSubscriptionId = found.id;
  const withdraw: Correction[] = [{ kind: "withdraw", subscriptionId: found.id }];

  if (found.status === "incomplete") {
    const { firstPayment } = found;
    if (!checkout || !isOpen) return withdraw;
    if (firstPayment?.state === "needs_authentication") checkout.state = "needs_authentication";
    if (firstPayment?.state !== "declined") return [];
    await endCheckout(context, em, checkout, "declined", firstPayment.message);
    return withdraw;
  }
  if (!checkout) return [];
  const isPaid = !isSecond && found.invoices.some((invoice) => invoice.status === "paid");
  if (isPaid) {
    checkout.state = "paid";
    checkout.endedAt ??= context.clock.now();
    await redeemPromoCode(em, checkout.id);
  } else if (isOpen) await endCheckout(context, em, checkout, "abandoned");
  return [];
}

/** Ends a checkout that wasn't paid and releases its promo code, in the transaction of `em`. */
export async function endCheckout(
  context: Context,
  em: EntityManager,
  checkout: Checkout,
  state: "declined" | "abandoned",
  message: string | null = null,
): Promise<void> {
  checkout.state = state;
  checkout.message = message;
  checkout.endedAt = context.clock.now();
  await releasePromoCode(em, checkout.id);
}
