import { normalizePromoCode, PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

let count = 0;

/** Creates a promo code of 10% without restrictions, with `changes`. */
export async function createPromoCode(test: TestApp, changes: Partial<PromoCode> = {}): Promise<PromoCode> {
  const em = test.services.orm.em.fork();
  const code = changes.code ?? `Promo${++count}`;
  const basisPoints = changes.discountType === "amount" ? null : 1_000;
  const discount = { discountType: "percentage", basisPoints } as const;
  const names = { code, comparedCode: normalizePromoCode(code) };
  const promoCode = em.create(PromoCode, { ...names, ...discount, createdAt: test.clock.now(), ...changes });
  await em.flush();
  return promoCode;
}
