import { LockMode } from "@mikro-orm/core";
import { formatDay } from "#schema/dates.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { formatAud, formatUsd } from "#schema/money.ts";
import type { PlanOnSaleValues, PlanPriceValues } from "#schema/plan.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { inKeyedTransaction, inTransaction } from "#api/platform/database/database.ts";
import { badInput, notFound } from "#api/platform/errors.ts";
import { formatPlanPrice, Plan, PlanPrice, PriceVersion } from "#api/billing/plans/plan.entity.ts";
import { applyDuePrices, changePrice } from "#api/billing/plans/price-versions.ts";
import { repeatResult } from "#api/billing/request-key.ts";

/** Latest start of a price, in days from today. */
const MAX_DAYS_AHEAD = 731;

/**
 * Sets a price of a plan from a day on, in the vendor's time zone, or immediately. Subscribers keep their price
 * (docs/domain.md#price-changes). A repeated call with the same key returns the first result.
 * @throws AppError NOT_FOUND if there is no such price; BAD_USER_INPUT if the day is in the past or over two years away;
 * CONFLICT as {@link repeatResult}.
 */
export async function setPlanPrice(context: Context, values: PlanPriceValues): Promise<PriceVersion> {
  const { priceId, audCents, usdCents, from, reason, key } = values;
  return inKeyedTransaction(context, async (em) => {
    const price = await em.findOne(PlanPrice, priceId, { populate: ["plan"], lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!price) throw notFound();
    const first = await em.findOne(PriceVersion, { key });
    if (first) {
      const day = getCalendarDay(first.startsAt);
      const isSame =
        first.planPrice.id === price.id &&
        first.audCents === audCents &&
        first.usdCents === usdCents &&
        day === (from ?? getCalendarDay(first.createdAt)) &&
        first.reason === reason;
      return repeatResult(first, isSame, `a price of ${formatAud(first.audCents)} from ${formatDay(day)} was set`);
    }
    const startsAt = getStart(context.clock.now(), from);
    await applyDuePrices({ ...context, em });
    await em.refresh(price);
    const before = { audPrice: formatAud(price.audCents), usdPrice: formatUsd(price.usdCents) };
    const staff = { startsAt, reason, key };
    const version = await changePrice(context, em, price, { audCents, usdCents, staff });
    if (!version) throw new Error("a price by staff has no version");
    await em.flush();
    await applyDuePrices({ ...context, em });
    await recordChange(context, em, {
      action: "set-plan-price",
      subject: { type: "plan", id: price.id, name: formatPlanPrice(price) },
      userId: null,
      before,
      after: { audPrice: formatAud(audCents), usdPrice: formatUsd(usdCents), from: startsAt.toISOString(), reason },
    });
    return version;
  });
}

function getStart(now: Date, from: string | undefined): Date {
  if (!from) return now;
  const today = getCalendarDay(now);
  if (from < today) throw badInput({ from: ["The price can't start in the past."] });
  if (from > addDays(today, MAX_DAYS_AHEAD)) throw badInput({ from: ["The price must start within two years."] });
  return from === today ? now : getStartOfDay(from);
}

/**
 * Takes a plan off sale, or puts it back on sale. Its subscribers keep it. Does nothing if it is already so.
 * @throws AppError NOT_FOUND if there is no such plan.
 */
export async function setPlanOnSale(context: Context, values: PlanOnSaleValues): Promise<Plan> {
  const { slug, isOnSale, reason } = values;
  return inTransaction(context, async (em) => {
    const plan = await em.findOne(Plan, { slug }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!plan) throw notFound();
    if (plan.sellable === isOnSale) return plan;
    plan.sellable = isOnSale;
    await recordChange(context, em, {
      action: isOnSale ? "put-plan-on-sale" : "take-plan-off-sale",
      subject: { type: "plan", id: plan.slug, name: plan.name },
      userId: null,
      after: { onSale: isOnSale, reason },
    });
    return plan;
  });
}
