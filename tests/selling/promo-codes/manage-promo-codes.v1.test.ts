import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { PromoCode } from "#api/selling/promo-codes/promo-code.entity.ts";
import { reservePromoCode, redeemPromoCode } from "#api/selling/promo-codes/redeem-promo-code.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: false });
const token = await signInAs(app, await createAdmin(app));
const customer = await createUser(app);
const buyer = await signInAs(app, customer);
const em = () => app.services.orm.em.fork() as EntityManager;
const TAKEN = "This promo code already exists.";

let count = 0;
const newCode = () => `CODE-${++count}`;
const values = (changes: object = {}) => ({ code: newCode(), discountType: 0, discountValue: 10, ...changes });
const post = (body: unknown) => app.rest("POST", "/v1/promoCode", { body, token });
const put = (body: unknown) => app.rest("PUT", "/v1/promoCode", { body, token });
const remove = (id: string) => app.rest("DELETE", `/v1/promoCode/${id}`, { token });
const list = async () => (await app.rest("GET", "/v1/promoCode", { token })).json as Record<string, unknown>[];
const listed = async (id: string) => (await list()).find((row) => row.id === id);
const validate = (promoCode: string) =>
  app.rest("POST", "/v1/promoCode/validate", { body: { itemAmount: 16_495, promoCode }, token: buyer });

describe("POST /v1/promoCode", () => {
  test("adds a percentage code and returns its id, and GET lists the percentage as a fraction", async () => {
    const { status, json: id } = await post({ code: " Spring10 ", discountType: 0, discountValue: "12.5" });
    expect(status).toBe(200);
    expect(await listed(id)).toEqual({
      id,
      code: "Spring10",
      discountType: 0,
      discountValue: 12.5,
      discountPercentage: 0.125,
      discountAmount: 0,
      expiryDate: "0001-01-01T00:00:00Z",
      isOneTimeUseOnly: false,
    });
    expect(await listAuditEntries(app, id)).toMatchObject([
      { action: "add-promo-code", subjectName: "Spring10", userId: null, after: { basisPoints: 1_250 } },
    ]);
  });

  test("adds a code for a fixed amount, and GET lists the amount in cents", async () => {
    const { json: id } = await post(values({ discountType: "1", discountValue: "A$1,424.05", isOneTimeUseOnly: true }));
    expect(await listed(id)).toMatchObject({
      discountType: 1,
      discountValue: 1424.05,
      discountPercentage: 0,
      discountAmount: 142_405,
      isOneTimeUseOnly: true,
    });
  });

  test("gives customers the discount that staff added", async () => {
    const code = newCode();
    await post({ code, discountType: 1, discountValue: 50, expiryDate: "" });
    expect((await validate(code.toLowerCase())).json).toMatchObject({ discount: 5_000, totalAfterDiscount: 10_995 });
  });

  // Multiplying these as floating-point numbers would be off by a cent or a basis point.
  test.each([
    [0, "0.01", 1],
    [0, 0.29, 29],
    [0, "1.15", 115],
    [0, 8.2, 820],
    [0, "10", 1_000],
    [0, "10%", 1_000],
    [0, " 33.33 % ", 3_333],
    [0, 100, 10_000],
    [0, "100.00", 10_000],
    [1, "0.01", 1],
    [1, 0.57, 57],
    [1, 1.1, 110],
    [1, "19.99", 1_999],
    [1, "$50", 5_000],
    [1, "A$50.00", 5_000],
    [1, "AU$50.5", 5_050],
    [1, "AUD 8.20", 820],
    [1, "a$ 1,000.29", 100_029],
    [1, "100000", 10_000_000],
  ])("stores type %i, value %j as exactly %i", async (discountType, discountValue, exact) => {
    const { status, json: id } = await post(values({ discountType, discountValue }));
    expect(status).toBe(200);
    const { basisPoints, amountCents } = await em().findOneOrFail(PromoCode, id);
    expect([basisPoints, amountCents]).toEqual(discountType === 0 ? [exact, null] : [null, exact]);
  });

  const PERCENTAGE = "Must be a percentage above 0 and up to 100, with at most two decimals.";
  const AMOUNT = "Must be an amount above A$0.00, such as A$50.00.";
  test.each([
    [0, 0, PERCENTAGE],
    [0, "0.00", PERCENTAGE],
    [0, -10, PERCENTAGE],
    [0, "100.01", PERCENTAGE],
    [0, 101, PERCENTAGE],
    [0, "10.123", PERCENTAGE],
    [0, 0.1 + 0.2, PERCENTAGE],
    [0, 1e-7, PERCENTAGE],
    [0, "1e1", PERCENTAGE],
    [0, "A$10", PERCENTAGE],
    [0, "10,5", PERCENTAGE],
    [0, "ten", PERCENTAGE],
    [0, "٣", PERCENTAGE],
    [0, "1\u0000", PERCENTAGE],
    [0, true, PERCENTAGE],
    [0, "", "Discount value is required."],
    [0, undefined, "Discount value is required."],
    [0, { a: 1 }, "Must be text or a number."],
    [1, 0, AMOUNT],
    [1, "A$0.00", AMOUNT],
    [1, -50, AMOUNT],
    [1, "49.999", AMOUNT],
    [1, "50%", AMOUNT],
    [1, "US$50", AMOUNT],
    [1, "1,00", AMOUNT],
    [1, 1e21, AMOUNT],
    [1, "100000.01", "Must be at most A$100,000.00."],
    [1, "9".repeat(40), "Must be at most A$100,000.00."],
  ])("rejects type %i, value %j", async (discountType, discountValue, sentence) => {
    const { status, json } = await post(values({ discountType, discountValue }));
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual(["discountValue"]);
    expect(json.discountValue[0]).toBe(sentence);
  });

  test.each([
    ["code", "", "Promo code is required."],
    ["code", "  ", "Promo code is required."],
    ["code", undefined, "Promo code is required."],
    ["code", "x".repeat(51), "Promo code is too long."],
    ["code", ["A"], "Must be text."],
    ["code", "A\u0000B", "Contains characters that are not allowed."],
    ["code", "A\nB", "Contains characters that are not allowed."],
    ["discountType", undefined, "Discount type is required."],
    ["discountType", "", "Discount type is required."],
    ["discountType", 2, "Discount type must be 0 (percentage) or 1 (dollars off)."],
    ["discountType", "Percentage", "Discount type must be 0 (percentage) or 1 (dollars off)."],
    ["discountType", [0], "Discount type must be 0 (percentage) or 1 (dollars off)."],
    ["expiryDate", "soon", "Must be a date."],
    ["expiryDate", "2027-02-30", "Must be a date."],
    ["expiryDate", 20270101, "Must be a date."],
    ["expiryDate", {}, "Must be a date."],
    ["isOneTimeUseOnly", "perhaps", "Must be true or false."],
    ["isOneTimeUseOnly", 3, "Must be true or false."],
  ])("rejects %s %j with an error for the field", async (field, value, sentence) => {
    const { status, json } = await post(values({ [field]: value }));
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual([field]);
    expect(json[field][0]).toBe(sentence);
  });

  test("accepts a code of 50 characters", async () => {
    expect((await post(values({ code: "x".repeat(50) }))).status).toBe(200);
  });

  test("rejects duplicate codes in upper and lower case, and lets the code of a deleted promo code be used again", async () => {
    const code = newCode();
    const { json: id } = await post(values({ code }));
    const { status, json } = await post(values({ code: ` ${code.toLowerCase()} ` }));
    expect([status, json]).toEqual([409, { Message: TAKEN, requestId: expect.any(String) }]);
    const { errors } = await app.graphql(
      "mutation ($input: PromoCodeInput!) { addPromoCode(input: $input) { id } }",
      { input: { code, discountType: 0, discountValue: "10" } },
      token,
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: "CONFLICT", fields: { code: [TAKEN] } });
    await remove(id);
    expect((await post(values({ code }))).status).toBe(200);
  });
});

describe("expiry date", () => {
  test.each([
    ["2030-01-31", "2030-01-31T23:59:59.999Z"],
    ["2030-01-31T10:00:00Z", "2030-01-31T10:00:00.000Z"],
    ["2030-01-31T10:00:00+10:00", "2030-01-31T00:00:00.000Z"],
    ["2030-01-31 10:00:00", "2030-01-31T10:00:00.000Z"],
    [null, "0001-01-01T00:00:00Z"],
    ["", "0001-01-01T00:00:00Z"],
    ["0001-01-01", "0001-01-01T00:00:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["0001-01-01T00:00:00", "0001-01-01T00:00:00Z"],
  ])("lists %j as %s, and keeps it when it is sent back", async (expiryDate, expected) => {
    const body = values({ expiryDate });
    const { json: id } = await post(body);
    expect((await listed(id))?.expiryDate).toBe(expected);
    const { discountPercentage: _, discountAmount: __, ...row } = (await listed(id)) ?? {};
    expect((await put(row)).status).toBe(200);
    expect(await listed(id)).toMatchObject({ ...row });
    expect(await listAuditEntries(app, id)).toHaveLength(1);
  });

  test("includes the expiry day itself", async () => {
    const start = app.clock.offsetMs;
    const day = addMilliseconds(app.clock.now(), DAY).toISOString().slice(0, 10);
    const code = newCode();
    await post(values({ code, expiryDate: day }));
    const toEnd = new Date(`${day}T23:59:00Z`).getTime() - app.clock.now().getTime();
    app.clock.setOffset(start + toEnd);
    const late = await signInAs(app, customer);
    const validateLate = () =>
      app.rest("POST", "/v1/promoCode/validate", { body: { itemAmount: 16_495, promoCode: code }, token: late });
    expect((await validateLate()).status).toBe(200);
    app.clock.setOffset(start + toEnd + 2 * 60_000);
    expect((await validateLate()).json).toEqual({ promoCode: ["Sorry, that promo code is not valid."] });
    app.clock.setOffset(start);
  });
});

describe("PUT /v1/promoCode", () => {
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

  test("allows changing only the case of a code, and rejects another promo code's code", async () => {
    const [one, other] = [await createPromoCode(app), await createPromoCode(app)];
    expect((await put(values({ id: one.id, code: one.code.toLowerCase() }))).status).toBe(200);
    const { status, json } = await put(values({ id: one.id, code: other.code.toLowerCase() }));
    expect([status, json.Message]).toEqual([409, TAKEN]);
    expect(await listAuditEntries(app, one.id)).toHaveLength(1);
  });

  test("keeps reserved and redeemed uses, and counts the redeemed ones", async () => {
    const { id, code } = await createPromoCode(app);
    const [held, done] = [randomUUID(), randomUUID()];
    for (const checkoutId of [held, done])
      await reservePromoCode(app.context(), em(), { code, userId: customer.id, checkoutId });
    expect(await redeemPromoCode(em(), done)).toBe(true);
    const uses = async () => {
      const { data } = await app.graphql("{ promoCodes { id timesUsed } }", {}, token);
      return data.promoCodes.find((row: { id: string }) => row.id === id)?.timesUsed;
    };
    expect(await uses()).toBe(1);
    const changed = await app.graphql(
      "mutation ($id: ID!, $input: PromoCodeInput!) { updatePromoCode(id: $id, input: $input) { timesUsed basisPoints } }",
      { id, input: { code, discountType: 0, discountValue: "50" } },
      token,
    );
    expect(changed.data.updatePromoCode).toEqual({ timesUsed: 1, basisPoints: 5_000 });
    expect((await remove(id)).status).toBe(200);
    expect(await redeemPromoCode(em(), held)).toBe(true);
  });

  test("treats a used code as used up when it becomes one-time", async () => {
    const { id, code } = await createPromoCode(app);
    const checkoutId = randomUUID();
    await reservePromoCode(app.context(), em(), { code, userId: customer.id, checkoutId });
    await redeemPromoCode(em(), checkoutId);
    expect((await validate(code)).status).toBe(200);
    await put(values({ id, code, isOneTimeUseOnly: true }));
    expect((await validate(code)).status).toBe(400);
  });

  test("requires an id, and returns the same 404 for unknown, deleted and malformed ones", async () => {
    expect((await put(values())).json).toEqual({ id: ["Promo code id is required."] });
    const gone = await createPromoCode(app, { archivedAt: app.clock.now() });
    for (const id of [randomUUID(), gone.id, "no-id"]) {
      expect([(await put(values({ id }))).status, (await remove(id)).status]).toEqual([404, 404]);
    }
  });
});

test("removes a deleted code from the list and from use, and records it in the audit log", async () => {
  const { id, code } = await createPromoCode(app);
  expect((await validate(code)).status).toBe(200);
  expect(await remove(id)).toMatchObject({ status: 200, json: true });
  expect(await listed(id)).toBeUndefined();
  expect((await validate(code)).json).toEqual({ promoCode: ["Sorry, that promo code is not valid."] });
  expect((await remove(id)).status).toBe(404);
  const entries = await listAuditEntries(app, id);
  expect(entries).toMatchObject([{ action: "delete-promo-code", subjectName: code, after: null }]);
});

test("lists the newest code first and marks expired ones", async () => {
  const start = app.clock.offsetMs;
  app.clock.setOffset(start + HOUR);
  const late = await createPromoCode(app, { expiresAt: addMilliseconds(app.clock.now(), -1) });
  const newest = await createPromoCode(app, { createdAt: addMilliseconds(app.clock.now(), 1_000) });
  const fresh = await signInAs(app, await createAdmin(app));
  const { data } = await app.graphql("{ promoCodes { id isExpired } }", {}, fresh);
  app.clock.setOffset(start);
  expect(data.promoCodes[0]).toEqual({ id: newest.id, isExpired: false });
  expect(data.promoCodes).toContainEqual({ id: late.id, isExpired: true });
});
