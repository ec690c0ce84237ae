import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { PromoRedemption } from "#api/selling/promo-codes/promo-redemption.entity.ts";
import { reservePromoCode, redeemPromoCode } from "#api/selling/promo-codes/redeem-promo-code.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
// A second pool simulates another process.
const otherPool = await openDatabase(app.database);
afterAll(() => otherPool.close(true));
const ROUNDS = 30;
const AT_ONCE = 50;

test("redeems a one-time code once for 50 concurrent uses across two pools", async () => {
  const users = [];
  for (let n = 0; n < AT_ONCE; n++) users.push(await createUser(app));
  for (let round = 0; round < ROUNDS; round++) {
    const { id, code } = await createPromoCode(app, { isOneTimeUseOnly: true });
    const outcomes = await Promise.allSettled(
      users.map(async (user, n) => {
        const em = (n % 2 ? otherPool : app.services.orm).em.fork() as EntityManager;
        const checkoutId = randomUUID();
        await reservePromoCode(app.context(), em, {
          code: n % 3 ? code : code.toLowerCase(),
          userId: user.id,
          checkoutId,
        });
        return redeemPromoCode(em, checkoutId);
      }),
    );
    expect(outcomes.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(1);
    const refused = outcomes.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(AT_ONCE - 1);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "BAD_USER_INPUT" });
    expect(await app.services.orm.em.fork().count(PromoRedemption, { promoCode: id })).toBe(1);
  }
}, 180_000);

test("reserves a code once for 20 concurrent requests of one checkout", async () => {
  const { id, code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const user = await createUser(app);
  const checkoutId = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      reservePromoCode(app.context(), (n % 2 ? otherPool : app.services.orm).em.fork() as EntityManager, {
        code,
        userId: user.id,
        checkoutId,
      }),
    ),
  );
  expect(results).toHaveLength(20);
  expect(await app.services.orm.em.fork().count(PromoRedemption, { promoCode: id })).toBe(1);
});
