import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { normalizePromoCode } from "#api/billing/promo-codes/find-promo-code.ts";
import { type Demo, daysAgo } from "./history.ts";

/** Writes the promo codes of docs/domain.md#demo-data. */
export function writePromoCodes(demo: Demo): void {
  let age = 160;
  const write = (code: string, values: Partial<PromoCode> & Pick<PromoCode, "discountType">): void => {
    const createdAt = daysAgo(demo, (age -= 20));
    demo.em.create(PromoCode, { code, comparedCode: normalizePromoCode(code), createdAt, ...values });
  };
  write("WELCOME10", { discountType: "percentage", basisPoints: 1_000 });
  write("FIFTY", { discountType: "amount", amountCents: 5_000 });
  write("ONCE", { discountType: "percentage", basisPoints: 2_500, isOneTimeUseOnly: true });
  write("EXPIRED", { discountType: "percentage", basisPoints: 2_000, expiresAt: daysAgo(demo, 30) });
}
