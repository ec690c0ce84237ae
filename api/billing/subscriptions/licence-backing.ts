import type { Licence, LicenceBacking } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { endServicePeriods, resumeServicePeriods } from "#api/billing/revenue/service-periods.ts";
import { recordSubscriptionChange } from "./record-subscription-change.ts";
import { hasActiveSubscription, isRenewingSql, isRunning, isRunningSql, Subscription } from "./subscription.entity.ts";

/** The subscription functions that licensing uses. */
export const subscriptionBacking: LicenceBacking = {
  hasActiveSubscription,
  endSubscription,
  releaseRevenue: (em, licenceIds, endedAt) => endServicePeriods(em, { licenceIds }, endedAt),
  resumeRevenue: resumeServicePeriods,
  isRenewedSql: `exists (select from subscriptions s where s.licence_id = l.id and ${isRenewingSql})`,
  isSubscribedSql: `(select bool_or(s.licence_id = l.id) from subscriptions s where s.user_id = l.user_id and ${isRunningSql})`,
  renewalInvoiceSql: `(select max(i.number) from manual_invoices m join tax_invoices i on i.id = m.tax_invoice_id
    where m.user_id = l.user_id and m.status = 'open' and m.licence_terms ->> 'licenceId' = l.id::text)`,
};

async function endSubscription(context: Context, em: EntityManager, licence: Licence): Promise<boolean> {
  const running = await em.findOne(Subscription, { licence: licence.id, ...isRunning });
  if (!running) return false;
  if (running.providerSubscriptionId) {
    // The job contacts the provider after the commit, retries until it responds, and saves the result.
    await context.jobs.add(em, "sync-payments", { userId: licence.user.id });
    return true;
  }
  // The subscription predates the payment provider: nothing is charged, and no sync would record its end.
  running.status = "cancelled";
  running.endedAt = context.clock.now();
  await recordSubscriptionChange(context, em, running, ["ended"]);
  return true;
}
