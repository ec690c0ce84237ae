import { LockMode } from "@mikro-orm/core";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { formatAud, formatUsd } from "#schema/money.ts";
import type { PlanOnSaleValues, PlanPriceValues } from "#schema/plan.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, inUniqueTransaction } from "#api/platform/database/database.ts";
import { AppError, badInput, conflict, notFound } from "#api/platform/errors.ts";
import { formatPlanPrice, Plan, PlanPrice, PriceVersion } from "#api/billing/plans/plan.entity.ts";
import { applyDuePrices, changePrice } from "#api/billing/plans/price-versions.ts";

/** Latest start of a price, in days from today. */
const MAX_DAYS_AHEAD = 731;

/**
 * Sets a price of a plan from a day on, in the vendor's time zone, or immediately. Subscribers keep their price
 * (docs/domain.md#price-changes). A repeated call with the same key returns the first result.
 * @throws AppError NOT_FOUND if there is no such price; BAD_USER_INPUT if the day is in the past or over two years away;
 * CONFLICT if the key belongs to another change.
 */
export async function setPlanPrice(context: Context, values: PlanPriceValues): Promise<PriceVersion> {
  const { priceId, audCents, usdCents, from, reason, key } = values;
  return inUniqueTransaction(context, keyIsUsed, async (em) => {
    const price = await em.findOne(PlanPrice, priceId, { populate: ["plan"], lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!price) throw notFound();
    const known = await em.findOne(PriceVersion, { key });
    if (known) {
      const isSameAmount = known.audCents === audCents && known.usdCents === usdCents;
      const day = from ?? getCalendarDay(known.createdAt);
      if (known.planPrice.id === price.id && isSameAmount && getCalendarDay(known.startsAt) === day) return known;
      throw keyIsUsed();
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

/** Creates the error for a key that an earlier request used for another price. */
export function keyIsUsed(): AppError {
  return conflict("This request was already used for another price. Open the form again.");
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
