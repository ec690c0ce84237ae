import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import type { CataloguePrice } from "#schema/plan-catalogue.ts";
import { PlanPrice, PriceVersion } from "./plan.entity.ts";

/** A new price of a plan. */
interface NewPrice extends CataloguePrice {
  /** Null for the price of the catalogue. */
  readonly staff: { readonly startsAt: Date; readonly reason: string; readonly key: string } | null;
}

/**
 * Changes the price of a plan: a price by staff adds a version, and the catalogue's price applies only until staff set
 * the first one (decision 0065). Locks the price's row. The caller applies versions that are due.
 * @returns the new version; null for the catalogue's price.
 */
export async function changePrice(
  context: Pick<Context, "clock">,
  em: EntityManager,
  price: PlanPrice,
  { staff, ...amounts }: NewPrice,
): Promise<PriceVersion | null> {
  await em.refresh(price, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const hasVersions = (await em.count(PriceVersion, { planPrice: price.id })) > 0;
  if (!staff) {
    if (!hasVersions) em.assign(price, amounts);
    return null;
  }
  const now = context.clock.now();
  if (!hasVersions) {
    const { audCents, usdCents } = price;
    em.create(PriceVersion, {
      planPrice: price,
      audCents,
      usdCents,
      startsAt: new Date(0),
      reason: "",
      createdAt: now,
    });
  }
  return em.create(PriceVersion, { planPrice: price, ...amounts, ...staff, createdAt: now });
}

/**
 * Puts versions in force whose date has come, so that `plan_prices` contains the current prices. Call it before reading
 * a price that a customer sees or pays, and before the prices are loaded in `em`. Usually changes nothing.
 * @returns the number of prices changed.
 */
export async function applyDuePrices({ em, clock }: Pick<Context, "em" | "clock">): Promise<number> {
  const changed = await query(
    em,
    `update plan_prices p set aud_cents = v.aud_cents, usd_cents = v.usd_cents
       from (select distinct on (plan_price_id) plan_price_id, aud_cents, usd_cents from plan_price_versions
              where starts_at <= $1 order by plan_price_id, starts_at desc, created_at desc, id) v
      where v.plan_price_id = p.id and (p.aud_cents, p.usd_cents) is distinct from (v.aud_cents, v.usd_cents)
      returning p.id`,
    [clock.now()],
  );
  return changed.length;
}

/** Puts scheduled prices in force even if nobody requests a price. A process with a wrong clock leaves them alone. */
export const applyScheduledPrices = defineDestructiveSweep({
  name: "apply-scheduled-prices",
  everySeconds: 60,
  run: ({ em }, now) => applyDuePrices({ em, clock: { now: () => now } }),
});
