import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/payments.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { planNameOf } from "#api/selling/plans/find-plan-price.ts";
import { after } from "#api/platform/clock.ts";
import { paidUntilOf, PAYMENT_GRACE_MS } from "./payment-rules.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Emails the customer about changes since the last sync (`before`): a failed renewal, a cancellation or the end of the
 * subscription. Each email is sent only once, however often this runs. Receipts are sent with the tax invoices.
 */
export async function announcePayments(
  context: Context,
  em: EntityManager,
  user: User,
  before: Readonly<Pick<Subscription, "status" | "isCancelledAtPeriodEnd">>,
  found: ProviderSubscription,
): Promise<void> {
  // Closing an account sends its own email, and the other emails don't apply to a user who can't sign in.
  if (user.archivedAt) return;
  const { firstName, email: to } = user;
  const plan = await planNameOf(em, found.priceId);
  const paidUntil = paidUntilOf(found.invoices) ?? found.periodEnd;
  const failed = found.invoices.find((invoice) => invoice.status === "open" && invoice.dueCents > 0);
  if (found.status === "past_due" && failed)
    await sendMail(context, em, {
      template: "payment-failed",
      to,
      data: { firstName, plan, amountCents: failed.dueCents, runsUntil: after(paidUntil, PAYMENT_GRACE_MS) },
      dedupeKey: `payment-failed:${failed.id}`,
    });
  if (found.isCancelledAtPeriodEnd && !before.isCancelledAtPeriodEnd && found.status !== "ended")
    await sendMail(context, em, {
      template: "subscription-cancelled",
      to,
      data: { firstName, plan, endsAt: paidUntil },
      dedupeKey: `subscription-cancelled:${found.id}:${found.periodEnd.toISOString()}`,
    });
  if (found.status === "ended" && before.status !== "cancelled")
    await sendMail(context, em, {
      template: "subscription-ended",
      to,
      data: { firstName, plan, wasCancelled: found.isCancelledAtPeriodEnd },
      dedupeKey: `subscription-ended:${found.id}`,
    });
}
