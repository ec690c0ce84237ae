import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { Plan } from "#api/billing/plans/plan.entity.ts";
import { reservePromoCode, redeemPromoCode, releasePromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { findUsablePromoCode, PromoRedemption } from "#api/billing/promo-codes/promo-code.entity.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const invalid = { promoCode: ["Sorry, that promo code is not valid."] };
const YEARLY = "xer-professional-yearly";
const em = () => app.context().em;
const australian = await signInAs(app, await createUser(app));

const validate = (body: unknown, token = australian) => app.rest("POST", "/v1/promoCode/validate", { body, token });
const hold = (code: string, userId: string, checkoutId: string, tx: EntityManager = em()) =>
  reservePromoCode(app.context(), tx, { code, planPriceId: YEARLY, userId, checkoutId });

test("POST /v1/promoCode/validate returns the server's price for the displayed amount, including GST, for a code in any spelling", async () => {
  for (const code of ["Welcome10", "FÊTE-10"]) await createPromoCode(app, { code });
  for (const promoCode of ["Welcome10", "WELCOME10", " welcome10 ", "fe\u0302te–10", "ＦÊＴＥ-10\u200b"]) {
    const { status, json } = await validate({ itemAmount: 16_495, promoCode });
    expect([status, json]).toEqual([
      200,
      { totalAfterDiscount: 14_845, discount: 1_500, gst: 1_350, itemAmount: 16_495 },
    ]);
  }
});

test("POST /v1/promoCode/validate subtracts a fixed amount before GST, which only Australians pay", async () => {
  await createPromoCode(app, { code: "FIFTY", discountType: "amount", amountCents: 5_000 });
  const { json } = await validate({ itemAmount: 16_495, promoCode: "fifty" });
  expect(json).toEqual({ totalAfterDiscount: 10_995, discount: 5_000, gst: 1_000, itemAmount: 16_495 });
  const abroad = await signInAs(app, await createUser(app, { country: "New Zealand" }));
  const { json: other } = await validate({ itemAmount: 142_400, promoCode: "FIFTY" }, abroad);
  expect(other).toEqual({ totalAfterDiscount: 137_400, discount: 5_000, gst: 0, itemAmount: 142_400 });
});

test("POST /v1/promoCode/validate accepts a price without GST, and replaces an unknown amount with the nearest price", async () => {
  const { code: promoCode } = await createPromoCode(app);
  for (const [itemAmount, expected] of [
    [142_400, { totalAfterDiscount: 140_976, itemAmount: 142_400 }],
    [1, { totalAfterDiscount: 7_420, itemAmount: 8_245 }],
    [999_999_999, { totalAfterDiscount: 140_976, itemAmount: 156_640 }],
  ] as const)
    expect((await validate({ itemAmount, promoCode })).json).toMatchObject(expected);
});

test("POST /v1/promoCode/validate ignores plans that are off sale", async () => {
  await createPromoCode(app, { code: "OFFSALE" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  expect((await validate({ itemAmount: 8_245, promoCode: "OFFSALE" })).json.itemAmount).toBe(12_370);
  await em().nativeUpdate(Plan, {}, { sellable: false });
  expect((await validate({ itemAmount: 8_245, promoCode: "OFFSALE" })).status).toBe(422);
  await em().nativeUpdate(Plan, {}, { sellable: true });
});

test("POST /v1/promoCode/validate returns the same error for unknown, expired, archived and used codes", async () => {
  await createPromoCode(app, { code: "PAST", expiresAt: addMilliseconds(app.clock.now(), -1) });
  await createPromoCode(app, { code: "GONE", archivedAt: app.clock.now() });
  await createPromoCode(app, { code: "USED", isOneTimeUseOnly: true });
  const { id } = await createUser(app);
  const checkout = randomUUID();
  await hold("USED", id, checkout);
  await redeemPromoCode(em(), checkout);
  for (const promoCode of ["NOBODYS", "PAST", "GONE", "USED"]) {
    const { status, json } = await validate({ itemAmount: 16_495, promoCode });
    expect([status, json]).toEqual([400, invalid]);
  }
});

test("applyPromoCode returns the discounted and the full price of the plan, or errors by field", async () => {
  const fields = "planPriceId fullTotalCents discountCents gstCents totalCents";
  const apply = (input: object) => app.call(`applyPromoCode { ${fields} }`, { input }, australian);
  await createPromoCode(app, { code: "GRAPH", basisPoints: 2_500 });
  const amounts = { fullTotalCents: 156_640, discountCents: 35_600, gstCents: 10_680, totalCents: 117_480 };
  expect(await apply({ planPriceId: YEARLY, promoCode: "graph" })).toEqual({ planPriceId: YEARLY, ...amounts });
  const unknown = apply({ planPriceId: "xer-professional", promoCode: "NOBODYS" });
  await expect(unknown).rejects.toMatchObject({ code: "BAD_USER_INPUT", fields: invalid });
  const empty = apply({ planPriceId: "xer-professional", promoCode: "" });
  await expect(empty).rejects.toMatchObject({ fields: { promoCode: ["Promo code is required."] } });
});

const oneTime = () => createPromoCode(app, { isOneTimeUseOnly: true });

test("a one-time code is reserved for one checkout until it is released or redeemed", async () => {
  const { code } = await oneTime();
  const [first, second] = [await createUser(app), await createUser(app)];
  const [one, other] = [randomUUID(), randomUUID()];
  await hold(code, first.id, one);
  await expect(hold(code, second.id, other)).rejects.toMatchObject({ fields: invalid });
  await hold(code, first.id, one);
  await releasePromoCode(em(), one);
  await hold(code, second.id, other);
  expect([await redeemPromoCode(em(), other), await redeemPromoCode(em(), other)]).toEqual([true, true]);
  await releasePromoCode(em(), other);
  await expect(hold(code, first.id, one)).rejects.toMatchObject({ fields: invalid });
  await expect(hold(code, second.id, other)).resolves.toMatchObject({ code });
  expect(await em().count(PromoRedemption, { promoCode: { code } })).toBe(1);
});

test("a one-time code goes to the next checkout after a reservation expires, and is redeemed by a late payment if none has it", async () => {
  const { code } = await oneTime();
  const [late, next] = [randomUUID(), randomUUID()];
  const [first, second] = [await createUser(app), await createUser(app)];
  await hold(code, first.id, late);
  const { code: free } = await oneTime();
  const checkout = randomUUID();
  await hold(free, first.id, checkout);
  app.clock.setOffset(app.clock.offsetMs + HOUR);
  await hold(code, second.id, next);
  expect([await redeemPromoCode(em(), late), await redeemPromoCode(em(), next)]).toEqual([false, true]);
  expect(await redeemPromoCode(em(), checkout)).toBe(true);
});

test("a one-time code is usable only by the user who has reserved it", async () => {
  const { code } = await oneTime();
  const user = await createUser(app);
  await hold(code, user.id, randomUUID());
  const actor = { userId: user.id, sessionId: user.id, role: "regular" } as const;
  expect(await findUsablePromoCode({ ...app.context(), actor }, em(), code, YEARLY)).toMatchObject({ code });
  await expect(findUsablePromoCode(app.context(), em(), code, YEARLY)).rejects.toMatchObject({ fields: invalid });
});

test("accepts a code from the first to the last moment of the vendor's days, and says when it starts", async () => {
  const days = { startsAt: getStartOfDay("2030-10-06"), expiresAt: getEndOfDay("2030-10-08") };
  const { code } = await createPromoCode(app, days);
  const useAt = (moment: Date) =>
    findUsablePromoCode({ ...app.context(), clock: { ...app.clock, now: () => moment } }, em(), code, YEARLY);
  const early = { promoCode: ["You can use this promo code from 6 Oct 2030."] };
  const { startsAt, expiresAt } = days;
  await expect(useAt(addMilliseconds(startsAt, -1))).rejects.toMatchObject({ fields: early });
  for (const moment of [startsAt, addMilliseconds(expiresAt, -1)])
    await expect(useAt(moment)).resolves.toMatchObject({ code });
  await expect(useAt(addMilliseconds(expiresAt, 1))).rejects.toMatchObject({ fields: invalid });
  await expect(hold(code, (await createUser(app)).id, randomUUID())).rejects.toMatchObject({ fields: early });
});

test("is refused for another plan, at the price and at the checkout, with the plans that it is for", async () => {
  const { code } = await createPromoCode(app, { planPriceIds: ["xer-plus-yearly"] });
  const fields = { promoCode: ["This promo code is only for Plus+, yearly."] };
  await expect(findUsablePromoCode(app.context(), em(), code, YEARLY)).rejects.toMatchObject({ fields });
  await expect(hold(code, (await createUser(app)).id, randomUUID())).rejects.toMatchObject({ fields });
  const token = await signInAs(app, await createUser(app));
  expect((await validate({ itemAmount: 117_480, promoCode: code }, token)).status).toBe(200);
});

test("keeps one reservation when a checkout changes its code", async () => {
  const [one, other] = [await createPromoCode(app), await createPromoCode(app)];
  const { id } = await createUser(app);
  const checkout = randomUUID();
  await hold(one.code, id, checkout);
  await hold(other.code, id, checkout);
  const [held, ...more] = await em().find(PromoRedemption, { checkoutId: checkout });
  expect(held?.promoCode.id).toBe(other.id);
  expect(more).toEqual([]);
});

test("removes a reservation on rollback, and rejects another user's checkout", async () => {
  const { code } = await createPromoCode(app);
  const { id } = await createUser(app);
  const checkout = randomUUID();
  const failing = em().transactional(async (tx) => {
    await hold(code, id, checkout, tx);
    throw new Error("declined");
  });
  await failing.catch(() => {});
  expect(await em().count(PromoRedemption, { checkoutId: checkout })).toBe(0);
  await hold(code, id, checkout);
  await expect(hold(code, (await createUser(app)).id, checkout)).rejects.toMatchObject({ fields: invalid });
});

test("allows ten attempts an hour per user and thirty per IP address", async () => {
  const limited = await startTestApp({ rateLimits: true });
  const check = async (by: string, promoCode = "GUESS") =>
    (await limited.rest("POST", "/v1/promoCode/validate", { token: by, body: { itemAmount: 100, promoCode } })).status;
  const newToken = async () => (await createSignedIn(limited)).token;
  await createPromoCode(limited, { code: "RIGHT" });
  const first = await newToken();
  for (let n = 0; n < 10; n++) expect(await check(first, n % 2 ? "RIGHT" : "GUESS")).toBe(n % 2 ? 200 : 400);
  expect(await check(first, "RIGHT")).toBe(429);
  for (const by of [await newToken(), await newToken()]) for (let n = 0; n < 10; n++) expect(await check(by)).toBe(400);
  expect(await check(await newToken(), "RIGHT")).toBe(429);
});

test("counts refused codes of a subscription as attempts, and no others", async () => {
  const limited = await startTestApp({ rateLimits: true });
  const { token } = await createSignedIn(limited);
  await createPromoCode(limited, { code: "RIGHT" });
  const confirm = async (promoCode: string) => {
    const body = { productId: YEARLY, promoCode };
    return (await limited.rest("POST", "/v1/subscriptions/confirm-subscription", { token, body })).status;
  };
  for (let n = 0; n < 11; n++) expect(await confirm("RIGHT")).toBe(200);
  for (let n = 0; n < 10; n++) expect(await confirm("GUESS")).toBe(400);
  expect(await confirm("RIGHT")).toBe(429);
});
