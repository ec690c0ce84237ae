import type { ReportColumn } from "./report.ts";

/**
 * SQL: the words for a price id, `Professional, yearly` as `planPriceName` says them; the id itself for one that the
 * catalogue no longer has.
 */
function planNameIn(priceId: string): string {
  return `coalesce((select p.name || ', ' || pp.interval from plan_prices pp join plans p on p.slug = pp.plan_slug
    where pp.id = ${priceId}), ${priceId})`;
}

/** A column with the plan of a price id, whose name is of our catalogue. */
export function planColumn(title: string, priceId: string): ReportColumn {
  return { title, kind: "text", sql: planNameIn(priceId), isOurs: true, width: 24 };
}
