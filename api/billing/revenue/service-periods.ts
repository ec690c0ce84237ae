import { addDays, getCalendarDay, toDayNumber } from "#schema/days.ts";
import type { ServiceDays } from "#schema/manual-invoice.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { toOpenDay } from "#api/billing/period-lock/open-time.ts";
import { SubscriptionPause } from "#api/billing/subscriptions/subscription-changes.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { ServicePeriod } from "./service-period.entity.ts";

/**
 * Returns the days of a period between two moments. The day on which the next period starts belongs to that one; a period
 * within a day has this day.
 */
export function toServiceDays(start: Date, end: Date): ServiceDays {
  const firstDay = getCalendarDay(start);
  const before = addDays(getCalendarDay(end), -1);
  return { firstDay, lastDay: before < firstDay ? firstDay : before };
}

/** Splits an amount in proportion to parts, in whole cents that add up to it. Parts that add up to 0 stay as they are. */
function splitCents(amount: number, parts: readonly number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole === 0 || whole === amount) return [...parts];
  let partSum = 0;
  let given = 0;
  return parts.map((part) => {
    partSum += part;
    const share = Math.round((amount * partSum) / whole) - given;
    given += share;
    return share;
  });
}

/**
 * Records over which days the lines of a new tax invoice are earned, in the transaction of `em`. Lines with the same days are
 * earned as one amount, so that a discount is never rounded further than what it reduces.
 */
export function createServicePeriods(
  em: EntityManager,
  invoice: TaxInvoice,
  subscription: Subscription | null = null,
): void {
  const { lines, totalCents, gstCents, periodStart, periodEnd } = invoice;
  const whole = periodStart && periodEnd ? toServiceDays(periodStart, periodEnd) : null;
  const amounts = splitCents(
    totalCents - gstCents,
    lines.map(({ amountCents }) => amountCents),
  );
  const earned = new Map<string, { period: ServiceDays | null; cents: number }>();
  for (const [index, line] of lines.entries()) {
    const period = line.period === undefined ? whole : line.period;
    const key = period ? `${period.firstDay} ${period.lastDay}` : "";
    const cents = (earned.get(key)?.cents ?? 0) + (amounts[index] ?? 0);
    earned.set(key, { period, cents });
  }
  for (const { period, cents } of earned.values())
    em.create(ServicePeriod, {
      document: invoice,
      subscription,
      licence: subscription?.licence ?? null,
      bookedOn: getCalendarDay(invoice.issuedAt),
      firstDay: period?.firstDay ?? null,
      lastDay: period?.lastDay ?? null,
      days: period ? countDays(period) : 0,
      fromCents: 0,
      toCents: cents,
    });
}

const countDays = ({ firstDay, lastDay }: ServiceDays) => toDayNumber(lastDay) - toDayNumber(firstDay) + 1;

/**
 * Records by how much an adjustment note reduces each line of its invoice, in the transaction of `em`. The note has the
 * days of the lines, and their early end.
 * @param left what is left of the invoice without GST before and after the note, in cents
 */
export async function reduceServicePeriods(
  em: EntityManager,
  note: TaxInvoice,
  invoice: TaxInvoice,
  left: { readonly before: number; readonly after: number },
): Promise<void> {
  const periods = await em.find(ServicePeriod, { document: invoice.id }, { orderBy: { id: "asc" }, refresh: true });
  const amounts = periods.map(({ toCents }) => toCents);
  const [before, after] = [splitCents(left.before, amounts), splitCents(left.after, amounts)];
  for (const [index, period] of periods.entries())
    copyPeriod(em, period, note, { fromCents: before[index] ?? 0, toCents: after[index] ?? 0 });
}

/** Records that an invoice is earned over the days of the one that it replaces, in the transaction of `em`. */
export async function copyServicePeriods(em: EntityManager, replacement: TaxInvoice, of: TaxInvoice): Promise<void> {
  const periods = await em.find(ServicePeriod, { document: of.id }, { refresh: true });
  for (const period of periods) copyPeriod(em, period, replacement, pick(period, "fromCents", "toCents"));
}

function copyPeriod(
  em: EntityManager,
  period: ServicePeriod,
  document: TaxInvoice,
  cents: Pick<ServicePeriod, "fromCents" | "toCents">,
): void {
  const days = pick(period, "subscription", "licence", "firstDay", "lastDay", "days", "endedOn");
  em.create(ServicePeriod, { ...days, ...cents, document, bookedOn: getCalendarDay(document.issuedAt) });
}

/**
 * Releases what isn't earned yet of licences that ended early, on the day of the end, or the first open one. Changes nothing the second time.
 * @param of the subscription or the licences that ended
 */
export async function endServicePeriods(
  em: EntityManager,
  of: { readonly subscriptionId: string } | { readonly licenceIds: readonly string[] },
  endedAt: Date,
): Promise<void> {
  const [column, ids] =
    "subscriptionId" in of ? ["subscription_id", [of.subscriptionId]] : ["licence_id", of.licenceIds];
  await query(
    em,
    `update service_periods set ended_on = $2::date where ${column} = any($1::uuid[]) and ended_on is null and last_day >= $2::date`,
    [ids, await toOpenDay(em, endedAt)],
  );
}

/**
 * Defers again what the end of a licence released this month, because staff reinstated it. Earlier months stay as they were, and
 * so does what a subscription paid, because it stays ended.
 */
export async function resumeServicePeriods(em: EntityManager, licenceId: string, now: Date): Promise<void> {
  await query(
    em,
    `update service_periods set ended_on = null
      where licence_id = $1 and subscription_id is null and ended_on >= date_trunc('month', $2::date)`,
    [licenceId, getCalendarDay(now)],
  );
}

/** Moves the last days of a subscription's service periods by the days of its pauses. Can be repeated. */
export async function moveServicePeriods(em: EntityManager, subscriptionId: string): Promise<void> {
  const pauses = await em.find(
    SubscriptionPause,
    { subscription: subscriptionId },
    { orderBy: { pausedAt: "asc" }, refresh: true },
  );
  if (pauses.length === 0) return;
  const periods = await em.find(ServicePeriod, { subscription: subscriptionId, days: { $gt: 0 } }, { refresh: true });
  for (const period of periods) {
    let lastDay = addDays(period.firstDay ?? "", period.days - 1);
    for (const { pausedAt, until, endedAt } of pauses) {
      // The licence can be used on a part of the first and of the last day.
      const first = addDays(getCalendarDay(pausedAt), 1);
      const next = getCalendarDay(endedAt ?? until);
      const from = period.firstDay && period.firstDay > first ? period.firstDay : first;
      if (from <= lastDay && next > from) lastDay = addDays(lastDay, toDayNumber(next) - toDayNumber(from));
    }
    period.lastDay = lastDay;
  }
  await em.flush();
}

/** Moves the days over which payments are earned by pauses, and releases the rest of subscriptions that ended. */
export async function changeServicePeriods(em: EntityManager, found: readonly ProviderSubscription[]): Promise<void> {
  await em.flush();
  for (const [providerId, { id }] of await findSubscriptions(em, found)) {
    await moveServicePeriods(em, id);
    const endedAt = found.find((one) => one.id === providerId)?.endedAt;
    if (endedAt) await endServicePeriods(em, { subscriptionId: id }, endedAt);
  }
}

/** Returns our subscriptions by the provider's ids. */
export async function findSubscriptions(
  em: EntityManager,
  found: readonly ProviderSubscription[],
): Promise<Map<string, Subscription>> {
  const ids = found.map(({ id }) => id);
  const known = await em.find(Subscription, { providerSubscriptionId: { $in: ids } }, { populate: ["licence"] });
  return new Map(known.map((one) => [one.providerSubscriptionId ?? "", one]));
}
