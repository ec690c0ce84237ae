/**
 * SQL: the words for a price id, `Professional, yearly` as `planPriceName` says them; the id itself for one that the
 * catalogue no longer has.
 */
export function planNameIn(priceId: string): string {
  return `coalesce((select p.name || ', ' || pp.interval from plan_prices pp join plans p on p.slug = pp.plan_slug
    where pp.id = ${priceId}), ${priceId})`;
}
