import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { reservePromoCode, redeemPromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createSignedIn, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: false });
const token = await signInAs(app, await createAdmin(app));
const { user: customer, token: buyer } = await createSignedIn(app);
const em = () => app.services.orm.em.fork() as EntityManager;
const TAKEN = "This promo code already exists.";

let count = 0;
const newCode = () => `CODE-${++count}`;
const values = (changes: object = {}) => ({ code: newCode(), discountType: 0, discountValue: 10, ...changes });
const post = (body: unknown) => app.rest("POST", "/v1/promoCode", { body, token });
const add = (input: object, fields = "id") => app.call(`addPromoCode { ${fields} }`, { input }, token);
const put = (body: unknown) => app.rest("PUT", "/v1/promoCode", { body, token });
const remove = (id: string) => app.rest("DELETE", `/v1/promoCode/${id}`, { token });
const list = async () => (await app.rest("GET", "/v1/promoCode", { token })).json as Record<string, unknown>[];
const listed = async (id: string) => (await list()).find((row) => row.id === id);
const validate = (promoCode: string) =>
  app.rest("POST", "/v1/promoCode/validate", { body: { itemAmount: 16_495, promoCode }, token: buyer });

test("adds percentages and amounts, lists them with the fraction or the cents, and gives customers the discount", async () => {
  const { status, json: id } = await post({ code: " Spring10 ", discountType: 0, discountValue: "12.5" });
  expect(status).toBe(200);
  const discount = { discountType: 0, discountValue: 12.5, discountPercentage: 0.125, discountAmount: 0 };
  const always = { expiryDate: "0001-01-01T00:00:00Z", isOneTimeUseOnly: false };
  expect(await listed(id)).toEqual({ id, code: "Spring10", ...discount, ...always });
  expect(await listAuditEntries(app, id)).toMatchObject([
    { action: "add-promo-code", subjectName: "Spring10", userId: null, after: { basisPoints: 1_250 } },
  ]);
  expect((await validate("spring10")).json).toMatchObject({ discount: 1_874, totalAfterDiscount: 14_433 });

  const amount = values({ discountType: "1", discountValue: "A$50.05", isOneTimeUseOnly: true, expiryDate: "" });
  const added = await listed((await post(amount)).json);
  expect(added).toMatchObject({ discountType: 1, discountValue: 50.05, discountPercentage: 0, discountAmount: 5_005 });
  expect(added?.isOneTimeUseOnly).toBe(true);
  expect((await validate(amount.code.toLowerCase())).json).toMatchObject({ discount: 5_005 });
});

test("returns the rules' messages by field over REST and GraphQL", async () => {
  const PERCENTAGE = "Must be a percentage above 0 and up to 100, with at most two decimals.";
  const fields = { code: ["Promo code is required."], discountValue: [PERCENTAGE] };
  const { status, json } = await post(values({ code: " ", discountValue: 101 }));
  expect([status, json]).toEqual([400, fields]);
  const wrong = add({ code: " ", discountType: "PERCENTAGE", discountValue: "101" });
  await expect(wrong).rejects.toMatchObject({ code: "BAD_USER_INPUT", fields });
  expect((await put(values())).json).toEqual({ id: ["Promo code id is required."] });
});

test("rejects duplicates in upper and lower case, and lets the code of a deleted promo code be used again", async () => {
  const code = newCode();
  const { json: id } = await post(values({ code }));
  const { status, json } = await post(values({ code: ` ${code.toLowerCase()} ` }));
  expect([status, json]).toEqual([409, { Message: TAKEN, requestId: expect.any(String) }]);
  const again = add({ code, discountType: "PERCENTAGE", discountValue: "10" });
  await expect(again).rejects.toMatchObject({ code: "CONFLICT", fields: { code: [TAKEN] } });
  expect((await put(values({ id: (await createPromoCode(app)).id, code }))).json.Message).toBe(TAKEN);
  expect((await put(values({ id, code: code.toLowerCase() }))).status).toBe(200);

  expect(await remove(id)).toMatchObject({ status: 200, json: true });
  expect(await listed(id)).toBeUndefined();
  expect((await validate(code)).json).toEqual({ promoCode: ["Sorry, that promo code is not valid."] });
  for (const unknown of [id, randomUUID(), "no-id"])
    expect([(await put(values({ id: unknown }))).status, (await remove(unknown)).status]).toEqual([404, 404]);
  expect((await post(values({ code }))).status).toBe(200);
});

test("lists the newest code first, with its expiry date, which stays when it is sent back", async () => {
  const day = addMilliseconds(app.clock.now(), DAY).toISOString().slice(0, 10);
  for (const [expiryDate, expected] of [
    [day, getEndOfDay(day).toISOString()],
    ["0001-01-01T00:00:00", "0001-01-01T00:00:00Z"],
  ]) {
    const { json: id } = await post(values({ expiryDate }));
    const { discountPercentage: _, discountAmount: __, ...row } = (await listed(id)) ?? {};
    expect(row.expiryDate).toBe(expected);
    expect((await put(row)).status).toBe(200);
    expect(await listed(id)).toMatchObject(row);
    expect(await listAuditEntries(app, id)).toHaveLength(1);
  }
  const { id } = await createPromoCode(app, { expiresAt: addMilliseconds(app.clock.now(), -1) });
  const newest = await createPromoCode(app, { createdAt: addMilliseconds(app.clock.now(), DAY) });
  const codes = await app.call("promoCodes { id isExpired }", {}, token);
  expect(codes[0]).toEqual({ id: newest.id, isExpired: false });
  expect(codes).toContainEqual({ id, isExpired: true });
});

test("accepts and returns a start, plans and a maximum, and keeps them if a REST client doesn't send them", async () => {
  const planPriceIds = ["xer-plus-yearly", "xer-professional-yearly", "xer-plus-yearly"];
  const limits = { startDate: "2001-07-01", planPriceIds, maximumRedemptions: 2 };
  const input = { code: newCode(), discountType: "PERCENTAGE", discountValue: "10", ...limits };
  const added = await add(input, "id code startsAt expiresAt hasStarted planPrices { id } maximumRedemptions");
  const { id, code } = added;
  expect(added).toMatchObject({
    startsAt: getStartOfDay("2001-07-01").toISOString(),
    expiresAt: null,
    hasStarted: true,
    planPrices: [{ id: "xer-professional-yearly" }, { id: "xer-plus-yearly" }],
    maximumRedemptions: 2,
  });
  expect((await validate(code)).json.promoCode).toEqual([
    "This promo code is only for Professional, yearly; Plus+, yearly.",
  ]);
  const early = await put(values({ id, code, expiryDate: "2001-06-30" }));
  expect([early.status, early.json]).toEqual([400, { startDate: ["The start must be before the expiry date."] }]);
  const kept = { id, code, startDate: null, maximumRedemptions: null };
  expect((await put(values({ ...kept, discountValue: 20 }))).status).toBe(200);
  const stored = () => em().findOneOrFail(PromoCode, id);
  expect(await stored()).toMatchObject({ basisPoints: 2_000, maximumRedemptions: 2 });
  expect((await put(values({ id, code, planPriceIds: [], startDate: "", maximumRedemptions: "" }))).status).toBe(200);
  expect(await stored()).toMatchObject({ planPriceIds: [], startsAt: null, maximumRedemptions: null });
  const [, , cleared] = await listAuditEntries(app, id);
  expect(cleared?.before).toMatchObject({ planPriceIds: ["xer-professional-yearly", "xer-plus-yearly"] });
});

test("changes the code for future uses, and records the differences in the audit log", async () => {
  const { id, code } = await createPromoCode(app);
  const { status, json } = await put({ id, code, discountType: 1, discountValue: "20", isOneTimeUseOnly: false });
  expect([status, json]).toEqual([200, true]);
  expect((await validate(code)).json).toMatchObject({ discount: 2_000 });
  const [entry] = await listAuditEntries(app, id);
  expect(entry).toMatchObject({
    action: "update-promo-code",
    before: { basisPoints: 1_000, amountCents: null },
    after: { basisPoints: null, amountCents: 2_000 },
  });
  expect(entry?.after).not.toHaveProperty("code");
});

test("counts redeemed uses, which use the code up when it becomes one-time, and keeps reserved ones", async () => {
  const { id, code } = await createPromoCode(app);
  const [held, done] = [randomUUID(), randomUUID()];
  const planPriceId = "xer-professional-monthly";
  for (const checkoutId of [held, done])
    await reservePromoCode(app.context(), em(), { code, planPriceId, userId: customer.id, checkoutId });
  expect(await redeemPromoCode(em(), done)).toBe(true);
  expect(await app.call("promoCodes { id timesUsed }", {}, token)).toContainEqual({ id, timesUsed: 1 });
  expect((await validate(code)).status).toBe(200);
  await put(values({ id, code, isOneTimeUseOnly: true }));
  expect([(await validate(code)).status, (await remove(id)).status]).toEqual([400, 200]);
  expect(await redeemPromoCode(em(), held)).toBe(true);
});

test("refuses a form with an outdated revision, and names the other admin and the changed field", async () => {
  const grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
  const { id, code } = await createPromoCode(app);
  const update = (discountValue: string, revision: number, by = token) => {
    const input = { code, discountType: "PERCENTAGE", discountValue };
    return app.call("updatePromoCode { basisPoints revision }", { id, revision, input }, by);
  };
  expect(await update("10", 1)).toEqual({ basisPoints: 1_000, revision: 1 });
  expect(await listAuditEntries(app, id)).toEqual([]);
  expect(await update("20", 1, grace)).toEqual({ basisPoints: 2_000, revision: 2 });
  await expect(update("30", 1)).rejects.toMatchObject({
    code: "CONFLICT",
    reason: "STALE_REVISION",
    message: expect.stringMatching(
      /^This promo code was changed in the meantime. Grace Hopper <.*> changed basisPoints .+ Please reload/,
    ),
  });
  const refused = await put(values({ id, code, discountValue: 30, revision: 1 }));
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("changed in the meantime")]);
  expect(await em().findOneOrFail(PromoCode, id)).toMatchObject({ basisPoints: 2_000, revision: 2 });
  const listChanges = () => app.call("promoCodeChanges { actorName fields }", { id, since: 1 }, token);
  expect(await listChanges()).toEqual([
    { actorName: expect.stringContaining("Grace Hopper"), fields: ["basisPoints"] },
  ]);
  expect(await update("30", 2)).toMatchObject({ revision: 3 });
  expect((await put(values({ id, code, discountValue: 40 }))).status).toBe(200);
  await remove(id);
  await expect(listChanges()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("restores a deleted promo code exactly, once, and records it, unless a new code has the same text", async () => {
  const restore = (id: string) => app.call("restorePromoCode { id timesUsed isExpired }", { id }, token);
  const findRow = async () => (await app.services.pool.query("select * from promo_codes where id = $1", [id])).rows[0];
  const { id } = await createPromoCode(app, { code: "Twice", isOneTimeUseOnly: true, revision: 3 });
  const before = await findRow();
  await remove(id);
  expect(await restore(id)).toEqual({ id, timesUsed: 0, isExpired: false });
  expect(await findRow()).toEqual(before);
  await restore(id);
  const actions = (await listAuditEntries(app, id)).map(({ action }) => action);
  expect(actions).toEqual(["delete-promo-code", "restore-promo-code"]);
  await remove(id);
  await createPromoCode(app, { code: "TWICE" });
  await expect(restore(id)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await findRow()).archived_at).not.toBeNull();
  await expect(restore(randomUUID())).rejects.toMatchObject({ code: "NOT_FOUND" });
});
