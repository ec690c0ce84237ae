import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { hasPromoCodeStarted, isPromoCodeExpired } from "./find-promo-code.ts";
import { PromoCode } from "./promo-code.entity.ts";

/** Returns all promo codes that aren't deleted, newest first, with their number of redemptions. */
export async function listPromoCodes(context: Context): Promise<PromoCode[]> {
  const em = context.em.fork();
  const codes = await em.find(PromoCode, { archivedAt: null }, { orderBy: { createdAt: "desc", id: "desc" } });
  await loadUsageAndExpiry(context, em, codes);
  return codes;
}

/** Sets the number of redemptions of each code and whether it has started and expired. */
export async function loadUsageAndExpiry(
  context: Pick<Context, "clock">,
  em: EntityManager,
  codes: readonly PromoCode[],
): Promise<void> {
  const uses = await query<{ id: string; times: number }>(
    em,
    `select promo_code_id as id, count(*)::int as times from promo_redemptions
      where promo_code_id = any($1) and state = 'redeemed' group by promo_code_id`,
    [codes.map((code) => code.id)],
  );
  const times = new Map(uses.map((row) => [row.id, row.times]));
  const now = context.clock.now();
  for (const code of codes) {
    code.timesUsed = times.get(code.id) ?? 0;
    code.hasStarted = hasPromoCodeStarted(code, now);
    code.isExpired = isPromoCodeExpired(code, now);
  }
}
