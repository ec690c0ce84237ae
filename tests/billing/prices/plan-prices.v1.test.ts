import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatSellerDate } from "#schema/dates.ts";
import { getCalendarDay, getStartOfDay, addDays } from "#schema/days.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { PriceVersion, PriceMove } from "#api/billing/plans/plan.entity.ts";
import { upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { continueMoves, previewMove } from "#api/billing/prices/move-subscribers.ts";
import type { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import {
  advanceTime,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await createAdmin(app, { staffRoles: ["finance"] });
const em = () => app.services.orm.em.fork();

// Signs in again for each test, because moving the clock makes the proof of identity too old.
let token = "";
beforeEach(async () => {
  token = await signInAs(app, admin);
});
afterEach(async () => {
  await em().nativeDelete(PriceVersion, {});
  await upsertCatalogue(app.context());
  await stopRenewals(app);
});

const priceId = "xer-professional-monthly";
const setPrice = (changes: object = {}) =>
  app.rest("POST", "/v1/plans/price", {
    token,
    body: { priceId, audCents: 15_995, usdCents: 10_495, reason: "Prices of 2027", key: randomUUID(), ...changes },
  });
async function readPrice(id = priceId): Promise<{ audCents: number; usdCents: number }> {
  const prices = (await app.rest("GET", "/v1/plans")).json.flatMap((plan: { prices: { id: string }[] }) => plan.prices);
  const { audCents, usdCents } = prices.find((one: { id: string }) => one.id === id);
  return { audCents, usdCents };
}

test("a new price is in force immediately, for new subscriptions only", async () => {
  const { user: early } = await createSubscriber(app);
  // The key may be a UUID of any version.
  const key = "0194c2f0-6b0e-7f0f-8a3e-0d4c3d0c9c52";
  expect((await setPrice({ key })).json).toMatchObject({ priceId, audCents: 15_995, usdCents: 10_495 });
  expect(await readPrice()).toEqual({ audCents: 15_995, usdCents: 10_495 });
  const { user: late } = await createSubscriber(app);
  expect((await listProviderInvoices(app, late.id)).map(({ totalCents }) => totalCents)).toEqual([17_595]);
  await advanceTime(app, 32);
  expect((await listProviderInvoices(app, early.id)).map(({ totalCents }) => totalCents)).toEqual([16_495, 16_495]);
  expect((await listProviderInvoices(app, late.id)).map(({ totalCents }) => totalCents)).toEqual([17_595, 17_595]);
});

test("a new price starts at midnight in the seller's time zone, and is applied by a sweep for the reports", async () => {
  const from = addDays(getCalendarDay(app.clock.now()), 3);
  expect((await setPrice({ from })).json.startsAtUtc).toBe(getStartOfDay(from).toISOString());
  const moveTo = (ms: number) => app.clock.setOffset(ms - Date.now());
  const midnight = getStartOfDay(from).getTime();
  moveTo(midnight - 10_000);
  expect((await readPrice()).audCents).toBe(14_995);
  moveTo(midnight);
  // Each call applies the price, whichever comes first.
  const { code: promoCode } = await createPromoCode(app);
  const body = { itemAmount: 17_595, promoCode };
  const customer = await signInAs(app, await createUser(app));
  const { json } = await app.rest("POST", "/v1/promoCode/validate", { token: customer, body });
  expect(json).toMatchObject({ itemAmount: 17_595, totalAfterDiscount: 15_835 });
  expect((await readPrice()).audCents).toBe(15_995);
  await app.services.jobs.runSweeps();
  const { rows } = await app.services.pool.query("select aud_cents from plan_prices where id = $1", [priceId]);
  expect(rows).toEqual([{ aud_cents: 15_995 }]);
});

test("a new price isn't overwritten by the catalogue, and keeps a history and an audit entry", async () => {
  await setPrice();
  await upsertCatalogue(app.context());
  expect([(await readPrice()).audCents, (await readPrice("xer-plus-monthly")).audCents]).toEqual([15_995, 11_245]);
  expect((await listAuditEntries(app, priceId)).at(-1)).toMatchObject({
    action: "set-plan-price",
    subjectName: "Professional, monthly",
    before: { audPrice: "A$149.95", usdPrice: "US$99.95" },
    after: { audPrice: "A$159.95", usdPrice: "US$104.95", reason: "Prices of 2027" },
  });
  await setPrice({ audCents: 16_995, from: addDays(getCalendarDay(app.clock.now()), 5), reason: "Later" });
  const plans = await app.call("allPlans { prices { id audCents versions { audCents reason } } }", {}, token);
  expect(plans.flatMap((plan: { prices: object[] }) => plan.prices)).toContainEqual({
    id: priceId,
    audCents: 15_995,
    versions: [
      { audCents: 16_995, reason: "Later" },
      { audCents: 15_995, reason: "Prices of 2027" },
      { audCents: 14_995, reason: "" },
    ],
  });
});

test("a new price is rejected with messages by field, and for an unknown price", async () => {
  const amount = "Must be an amount from A$1.00 to A$100,000.00.";
  for (const [changes, fields] of [
    [{ audCents: 99 }, { audCents: [amount] }],
    [{ audCents: 149.5 }, { audCents: [amount] }],
    [{ usdCents: 99 }, { usdCents: ["Must be an amount from US$1.00 to US$100,000.00."] }],
    [{ from: "2027-02-30" }, { from: ["Must be a date."] }],
    [{ from: "2020-01-01" }, { from: ["The price can't start in the past."] }],
    [{ from: "2035-01-01" }, { from: ["The price must start within two years."] }],
    [{ reason: " " }, { reason: ["Reason is required."] }],
    [{ key: "x" }, { key: ["Must be a UUID."] }],
  ] as const)
    expect(await setPrice(changes)).toMatchObject({ status: 400, json: fields });
  expect((await setPrice({ priceId: "xer-gold-monthly" })).status).toBe(404);
});

const setOnSale = (isOnSale: boolean) =>
  app.rest("POST", "/v1/plans/on-sale", { token, body: { slug: "xer-plus", isOnSale, reason: "Retired" } });

test("a plan goes off sale and back on sale, and keeps its subscribers", async () => {
  const { user } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  expect([(await setOnSale(false)).status, (await setOnSale(false)).status]).toEqual([200, 200]);
  const slugs = async () => (await app.rest("GET", "/v1/plans")).json.map(({ slug }: { slug: string }) => slug);
  expect(await slugs()).not.toContain("xer-plus");
  await advanceTime(app, 32);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("active");
  token = await signInAs(app, admin);
  await setOnSale(true);
  expect(await slugs()).toContain("xer-plus");
  const actions = (await listAuditEntries(app, "xer-plus")).map(({ action }) => action);
  expect(actions).toEqual(["take-plan-off-sale", "put-plan-on-sale"]);
});

const move = async (changes: object = {}): Promise<number> => {
  const input = { priceId, reason: "For everybody", key: randomUUID(), ...changes };
  return (await app.call("moveSubscribers { count }", { input }, token)).count;
};
const preview = (id = priceId) =>
  app.call("priceMovePreview { audCents count tooSoonCount firstRenewalAt lastRenewalAt }", { priceId: id }, token);
const totals = async (userId: string) => (await listProviderInvoices(app, userId)).map(({ totalCents }) => totalCents);
const listNotices = async (email: string) =>
  (await listEmailsTo(app, email)).filter(({ subject }) => subject.includes("price"));
const load = async ({ user }: { user: User }) => (await loadSubscription(app, user.id)).subscription;
const advanceTo = async (daysBeforeRenewal: number, { subscription }: { subscription: Subscription }) => {
  const left = subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime();
  await advanceTime(app, left / DAY - daysBeforeRenewal);
  token = await signInAs(app, admin);
};
const cancel = async ({ user }: { user: User }) =>
  app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token: await signInAs(app, user) });
const planChange = async ({ user }: { user: User }) =>
  app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token: await signInAs(app, user) });

test("moving subscribers charges the current price at a renewal within 30 days, and from the next one what the email says", async () => {
  const monthly = { priceId: "xer-standard-monthly" };
  const subscriber = await createSubscriber(app, { productId: monthly.priceId });
  const { user } = subscriber;
  await advanceTo(10, subscriber);
  await setPrice({ ...monthly, audCents: 7_995 });
  const before = await preview(monthly.priceId);
  expect(before).toMatchObject({ audCents: 7_995, count: 1, tooSoonCount: 1 });
  // A price that a colleague set after the preview.
  await expect(move({ ...monthly, expectedAudCents: 7_495 })).rejects.toMatchObject({ code: "CONFLICT" });
  const key = randomUUID();
  expect([await move({ ...monthly, key, expectedAudCents: 7_995 }), await move({ ...monthly, key })]).toEqual([1, 1]);
  await expect(move({ key, priceId: "xer-plus-monthly" })).rejects.toMatchObject({ code: "CONFLICT" });
  await app.services.jobs.drain();
  expect(await continueMoves.run(app.context())).toBe(0);
  expect(await preview(monthly.priceId)).toMatchObject({ count: 0, tooSoonCount: 0, firstRenewalAt: null });
  expect(await load(subscriber)).toMatchObject({ amountCents: 7_495, nextAmountCents: null });
  await setPrice({ ...monthly, audCents: 9_995 });
  expect(await move(monthly)).toBe(0);

  await advanceTime(app, 11);
  expect(await totals(user.id)).toEqual([8_245, 8_245]);
  const renewed = await load(subscriber);
  expect(renewed).toMatchObject({ amountCents: 7_495, nextAmountCents: 7_995, nextPlanPrice: null });
  expect(renewed.currentPeriodEndsAt.toISOString()).toBe(before.firstRenewalAt);
  const receipt = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("was renewed"));
  expect(receipt?.text).toContain("Your next payment of A$87.95");
  await advanceTime(app, 31);
  expect(await totals(user.id)).toEqual([8_245, 8_245, 8_795]);
  const notices = await listNotices(user.email);
  expect(notices).toHaveLength(1);
  for (const part of ["A$82.45", "A$87.95", formatSellerDate(renewed.currentPeriodEndsAt)])
    expect(notices[0]?.text).toContain(part);
});

test("moving subscribers charges the new price at a renewal at least 30 days away", async () => {
  const yearly = { priceId: "xer-standard-yearly" };
  const subscriber = await createSubscriber(app, { productId: yearly.priceId });
  const { user, subscription } = subscriber;
  await advanceTo(40, subscriber);
  await setPrice({ ...yearly, audCents: 75_000 });
  const at = subscription.currentPeriodEndsAt.toISOString();
  expect(await preview(yearly.priceId)).toEqual({
    audCents: 75_000,
    count: 1,
    tooSoonCount: 0,
    firstRenewalAt: at,
    lastRenewalAt: at,
  });
  const offset = app.clock.offsetMs;
  app.clock.setOffset(offset + 10 * DAY + HOUR);
  expect(await previewMove(app.context(), yearly.priceId)).toMatchObject({ count: 1, tooSoonCount: 1 });
  app.clock.setOffset(offset);
  await move(yearly);
  await app.services.jobs.drain();
  // No change of plan is scheduled that the customer could cancel.
  await app.call("keepPresentPlan { message }", {}, await signInAs(app, user));
  expect(await load(subscriber)).toMatchObject({ amountCents: 71_100, nextAmountCents: 75_000 });
  // A change of plan replaces the new price until the customer withdraws it.
  await planChange(subscriber);
  expect(await load(subscriber)).toMatchObject({ nextPlanPrice: "xer-plus-monthly", nextAmountCents: 11_245 });
  const kept = await app.call("keepPresentPlan { nextChargeCents }", {}, await signInAs(app, user));
  expect(kept.nextChargeCents).toBe(82_500);
  await continueMoves.run(app.context());
  expect(await load(subscriber)).toMatchObject({ nextPlanPrice: null, nextAmountCents: 75_000 });
  expect(await listNotices(user.email)).toHaveLength(1);
  expect((await listNotices(user.email))[0]?.text).toContain(formatSellerDate(subscription.currentPeriodEndsAt));
  await advanceTime(app, 41);
  expect(await totals(user.id)).toEqual([78_210, 82_500]);
});

test("moving subscribers leaves out subscribers who cancel or plan a change of plan, before or while they wait", async () => {
  const [one, two] = [await createSubscriber(app), await createSubscriber(app)];
  const [three, four] = [await createSubscriber(app), await createSubscriber(app)];
  await advanceTo(10, four);
  await setPrice();
  const { count } = await preview();
  await cancel(one);
  await planChange(two);
  expect(await move()).toBe(count - 2);
  await app.services.jobs.drain();
  await cancel(three);
  await planChange(four);
  await advanceTime(app, 11);
  for (const each of [one, two, three, four]) expect((await load(each)).nextAmountCents).toBe(null);
  const ids = [three, four].map(({ subscription }) => subscription.id);
  const moves = await em().find(PriceMove, { subscription: { $in: ids } });
  expect(moves).toHaveLength(2);
  expect(moves.map(({ state }) => state)).not.toContain("done");
});

test("moving subscribers never charges the new price early, even if a pause moves the renewal there and back", async () => {
  const subscriber = await createSubscriber(app);
  await advanceTo(10, subscriber);
  await setPrice();
  await move();
  await app.services.jobs.drain();
  const own = await signInAs(app, subscriber.user);
  await app.call("pauseSubscription { message }", { until: addDays(getCalendarDay(app.clock.now()), 60) }, own);
  expect(await continueMoves.run(app.context())).toBe(0);
  expect(await load(subscriber)).toMatchObject({ nextAmountCents: null, pausedUntil: expect.any(Date) });
  await app.call("endSubscriptionPause { message }", {}, own);
  expect(await continueMoves.run(app.context())).toBe(0);
  expect(await load(subscriber)).toMatchObject({ nextAmountCents: null, pausedUntil: null });
});

test("moving subscribers charges the announced price at the moved payment, which the email about a pause names", async () => {
  const yearly = { priceId: "xer-standard-yearly" };
  const subscriber = await createSubscriber(app, { productId: yearly.priceId });
  const { user } = subscriber;
  await advanceTo(40, subscriber);
  await setPrice({ ...yearly, audCents: 75_000 });
  await move(yearly);
  await app.services.jobs.drain();
  const until = addDays(getCalendarDay(app.clock.now()), 20);
  await app.call("pauseSubscription { message }", { until }, await signInAs(app, user));
  expect(await load(subscriber)).toMatchObject({ amountCents: 71_100, nextAmountCents: null });
  const paused = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("is paused until"));
  expect(paused?.text).toContain("Your next payment of A$825.00");
  await advanceTime(app, 21);
  expect(await load(subscriber)).toMatchObject({ pausedUntil: null, nextAmountCents: 75_000 });
  expect(await listNotices(user.email)).toHaveLength(1);
  await advanceTime(app, 41);
  expect((await totals(user.id)).filter((cents) => cents > 0)).toEqual([78_210, 82_500]);
});

test("moving subscribers skips a subscription cancelled in the meantime, and mentions no GST to an account without it", async () => {
  const cancelled = await createSubscriber(app);
  const abroad = await createUser(app, { country: "New Zealand" });
  await postSubscription(app, await signInAs(app, abroad));
  await setPrice();
  await move();
  await cancel(cancelled);
  await app.services.jobs.drain();
  expect([(await load(cancelled)).nextAmountCents, await listNotices(cancelled.user.email)]).toEqual([null, []]);
  const [email] = await listNotices(abroad.email);
  expect(email?.text).toContain("A$159.95");
  expect(email?.text).not.toContain("GST");
});
