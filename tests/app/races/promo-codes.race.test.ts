import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { addPromoCode, deletePromoCode, updatePromoCode } from "#api/billing/promo-codes/edit-promo-codes.ts";
import { PromoCode, PromoRedemption } from "#api/billing/promo-codes/promo-code.entity.ts";
import { reservePromoCode, redeemPromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { openCheckout } from "#api/billing/subscriptions/open-checkout.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createUser, createAdmin } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { retryUntilDone, settle } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const { id: adminId } = await createAdmin(app);
const createContextFor = await alternateContexts(app, { userId: adminId, sessionId: adminId, role: "admin" });
const em = () => app.services.orm.em.fork() as EntityManager;

const AT_ONCE = 50;

test.each([
  ["a one-time code once", 1, { isOneTimeUseOnly: true }],
  ["a code with a maximum of 7 exactly 7 times", 7, { maximumRedemptions: 7 }],
])("redeems %s for 50 concurrent uses across two processes", async (_, maximum, limit) => {
  const users = [];
  for (let n = 0; n < AT_ONCE; n++) users.push(await createUser(app));
  for (let round = 0; round < ROUNDS.of50; round++) {
    const { id, code } = await createPromoCode(app, limit);
    const outcomes = await Promise.allSettled(
      users.map(async (user, n) => {
        const { em } = createContextFor(n);
        const checkoutId = randomUUID();
        const typed = n % 3 ? code : code.toLowerCase();
        const checkout = { planPriceId: "xer-professional-yearly", userId: user.id, checkoutId } as const;
        await retryUntilDone(() => reservePromoCode(app.context(), em, { code: typed, ...checkout }));
        return retryUntilDone(() => redeemPromoCode(em, checkoutId));
      }),
    );
    expect(outcomes.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(maximum);
    const refused = outcomes.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(AT_ONCE - maximum);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "BAD_USER_INPUT" });
    expect(await app.services.orm.em.fork().count(PromoRedemption, { promoCode: id })).toBe(maximum);
  }
});

test("reserves a code once for 20 concurrent requests of one checkout", async () => {
  const { id, code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const user = await createUser(app);
  const checkoutId = randomUUID();
  const values = { code, planPriceId: "xer-professional-yearly", userId: user.id, checkoutId };
  const results = await atOnce(20, (n) =>
    retryUntilDone(() => reservePromoCode(app.context(), createContextFor(n).em, values)),
  );
  expect(results).toHaveLength(20);
  expect(await app.services.orm.em.fork().count(PromoRedemption, { promoCode: id })).toBe(1);
});

const always = { startDate: null, expiryDate: null, planPriceIds: [] };
const unlimited = { ...always, maximumRedemptions: null, isOneTimeUseOnly: false };
const values = (code: string, percent = "10") => ({
  code,
  discountType: 0 as const,
  discountValue: percent,
  ...unlimited,
});

test("adds one of ten concurrent promo codes with the same text and reports a conflict to the others", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const code = `SAME-${round}`;
    const outcomes = await atOnce(10, (n) =>
      settle(() => addPromoCode(createContextFor(n), values(n % 2 ? code : code.toLowerCase()))),
    );
    expect(outcomes.toSorted()).toEqual([...Array(9).fill("CONFLICT"), "done"]);
    const [row, ...more] = await em().find(PromoCode, { comparedCode: code });
    expect(more).toEqual([]);
    expect(await listAuditEntries(app, row?.id ?? "")).toHaveLength(1);
  }
});

test("rejects changes of a promo code that come after its concurrent deletion", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const { id, code } = await createPromoCode(app);
    const update = (n: number) => updatePromoCode(createContextFor(n), id, values(code, String(20 + n)));
    const outcomes = await Promise.all([
      ...[0, 1].map((n) => settle(() => deletePromoCode(createContextFor(n), id))),
      ...[0, 1, 2, 3].map((n) => settle(() => update(n))),
    ]);
    expect(outcomes.slice(0, 2).toSorted()).toEqual(["NOT_FOUND", "done"]);
    for (const outcome of outcomes) expect(["NOT_FOUND", "done"]).toContain(outcome);
    const left = await em().findOneOrFail(PromoCode, id);
    expect(left.archivedAt).not.toBeNull();
    // Each audit entry's old value is the original value or the new value of another entry.
    const entries = await listAuditEntries(app, id);
    const done = entries.map(({ before, after }) => [before?.basisPoints, after?.basisPoints]);
    expect(done).toHaveLength(outcomes.filter((outcome) => outcome === "done").length);
    for (const [found] of done) expect(found === 1_000 || done.some(([, left]) => left === found)).toBe(true);
  }
});

test("rejects a checkout if an admin changes its discount in the meantime", async () => {
  const { id, code } = await createPromoCode(app);
  const user = await createUser(app);
  let opened: Promise<unknown> | undefined;
  await em().transactional(async (tx) => {
    await query(tx, "update promo_codes set basis_points = 5000 where id = $1", [id]);
    const none = { requestKey: null, paymentMethodId: null, expectedTotalCents: null };
    const choice = { planPriceId: "xer-professional-monthly", promoCode: code, ...none } as const;
    opened = openCheckout(app.context(), user.id, choice);
    opened.catch(() => {});
    // The checkout has calculated its offer at the old price and waits for the promo code's row.
    await waitForLock(app);
  });
  await expect(opened).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await em().count(Checkout, { user: user.id })).toBe(0);
});
