import { trialLevels } from "#schema/product-level.ts";
import type { BulkOptions } from "./bulk-run.entity.ts";

export type LicenceConditions = NonNullable<BulkOptions["conditions"]>;

/** An ID before all others. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Estimates the progress from the first digits of an ID, since IDs are evenly distributed. */
export const estimatePercent = (id: string) => Math.floor((100 * Number.parseInt(id.slice(0, 4), 16)) / 65_536);

/**
 * Returns SQL that continues a `where` clause with the conditions on `licences l`.
 * @param first number of the first parameter of {@link buildConditionValues}
 */
export function conditionsSql(first: number): string {
  const [level, category, order, from, to, levels] = Array.from({ length: 6 }, (_, index) => `$${first + index}`);
  return `
  and (${level}::int is null or l.product_level = ${level}) and (${category}::int is null or l.licence_category = ${category})
  and (${order}::text is null or l.purchase_order_number = ${order})
  and (${from}::timestamptz is null or l.expires_at >= ${from}) and (${to}::timestamptz is null or l.expires_at <= ${to})
  and (${levels}::int[] is null or l.product_level = any(${levels}))`;
}

/** Returns the parameters of {@link conditionsSql}. */
export function buildConditionValues(conditions: LicenceConditions): readonly unknown[] {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials } = conditions;
  const levels = onlyTrials ? trialLevels : null;
  return [productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, levels].map(
    (one) => one ?? null,
  );
}
