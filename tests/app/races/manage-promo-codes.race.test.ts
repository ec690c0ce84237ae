import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { createContext, type Context } from "#api/platform/context.ts";
import { addPromoCode, deletePromoCode, updatePromoCode } from "#api/selling/promo-codes/promo-code-changes.ts";
import { PromoCode } from "#api/selling/promo-codes/promo-code.entity.ts";
import { openCheckout } from "#api/selling/subscriptions/open-checkout.ts";
import { Checkout } from "#api/selling/subscriptions/checkout.entity.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { auditOf } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: false });
// A second pool, as another process would have.
const beside = await openDatabase(app.database);
afterAll(() => beside.close(true));
const admin = await createAdmin(app);
const actor = { userId: admin.id, sessionId: admin.id, role: "admin" } as const;
const contextOf = (n: number): Context =>
  createContext(n % 2 ? app.services : { ...app.services, orm: beside }, { actor });
const em = () => app.services.orm.em.fork() as EntityManager;
const ROUNDS = 10;

const values = (code: string, percent = "10") => ({
  code,
  discountType: 0,
  discountValue: percent,
  expiryDate: undefined,
  isOneTimeUseOnly: false,
});

test("of ten who add the same words at once one wins, and the others are told", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const code = `SAME-${round}`;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => addPromoCode(contextOf(n), values(n % 2 ? code : code.toLowerCase()))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "CONFLICT" });
    const [row, ...more] = await em().find(PromoCode, { comparedCode: code });
    expect(more).toEqual([]);
    expect(await auditOf(app, row?.id ?? "")).toHaveLength(1);
  }
});

test("changes against a deletion: those after it find nothing, and the code stays deleted", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, code } = await createPromoCode(app);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, (_, n) => updatePromoCode(contextOf(n), id, values(code, String(20 + n)))),
      deletePromoCode(contextOf(0), id),
      deletePromoCode(contextOf(1), id),
    ]);
    expect(outcomes.slice(4).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "NOT_FOUND" });
    const left = await em().findOneOrFail(PromoCode, id);
    expect(left.archivedAt).not.toBeNull();
    // The audit log tells the changes in their order: what one left is what the next one found.
    const done = (await auditOf(app, id)).map(({ before, after }) => [before?.basisPoints, after?.basisPoints]);
    expect(done).toHaveLength(outcomes.filter(({ status }) => status === "fulfilled").length);
    for (const [found] of done) expect(found === 1_000 || done.some(([, left]) => left === found)).toBe(true);
  }
});

test("a price that an admin changes while a customer subscribes is never charged by surprise", async () => {
  const { id, code } = await createPromoCode(app);
  const user = await createUser(app);
  let opened: Promise<unknown> | undefined;
  await em().transactional(async (tx) => {
    await query(tx, "update promo_codes set basis_points = 5000 where id = $1", [id]);
    opened = openCheckout(createContext(app.services), user.id, {
      planPriceId: "xer-professional-monthly",
      promoCode: code,
      requestKey: null,
      paymentMethodId: null,
      expectedTotalCents: null,
    });
    opened.catch(() => {});
    // It has made its offer at the old price and waits for the code's row.
    await expect
      .poll(
        async () =>
          (
            await app.services.pool.query(
              "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
  });
  await expect(opened).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await em().count(Checkout, { user: user.id })).toBe(0);
});
