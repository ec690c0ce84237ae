import { randomUUID } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { afterEach, expect, test } from "vitest";
import { formatSellerDate } from "#schema/dates.ts";
import { PriceMove, PriceVersion } from "#api/billing/plans/plan.entity.ts";
import { upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { moveSubscriber, moveSubscribers } from "#api/billing/prices/move-subscribers.ts";
import { SubscriptionChange } from "#api/billing/subscriptions/subscription-changes.entity.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import {
  cardFields,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";
import { openSubscriptionCalls } from "#tests/factories/subscription-calls.ts";

const app = await startTestApp({ rateLimits: false });
const token = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
afterEach(async () => {
  await app.context().em.fork().nativeDelete(PriceVersion, {});
  await upsertCatalogue(app.context());
  await stopRenewals(app);
});

const priceId = "xer-professional-monthly";
const { put, status } = openSubscriptionCalls(app);
const confirm = (by: string) => put(by, `confirm-update-subscription/${priceId}`);
const change = (by: string, id = priceId) => put(by, `update-subscription/${id}`);
const setPrice = (changes: object = {}) =>
  app.rest("POST", "/v1/plans/price", {
    token,
    body: { priceId, audCents: 15_995, usdCents: 10_495, reason: "Prices of 2027", key: randomUUID(), ...changes },
  });

test("a new price isn't charged for an upgrade that was shown at the old price, until the customer has seen it", async () => {
  const { user, token: customer } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  expect((await confirm(customer)).status).toBe(200);
  await setPrice();
  const refused = await change(customer);
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("The price has changed")]);
  expect(await listProviderInvoices(app, user.id)).toHaveLength(1);
  expect([(await confirm(customer)).status, (await change(customer)).status]).toEqual([200, 200]);
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ planPrice: priceId, amountCents: 15_995 });
});

test("a new price that the customer sees while the old one is refused stays valid", async () => {
  const { user, token: customer } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await confirm(customer);
  await setPrice();
  const { id } = (await loadSubscription(app, user.id)).subscription;
  const refused = await app.context().em.transactional(async (em) => {
    await em.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const answer = change(customer);
    await waitForLock(app);
    const sql = `insert into subscription_changes (id, subscription_id, plan_price, reckoned_at, period_cents, due_cents)
       select gen_random_uuid(), subscription_id, plan_price, reckoned_at + interval '1 minute', 17595, due_cents
         from subscription_changes where subscription_id = $1`;
    await app.services.pool.query(sql, [id]);
    return { answer };
  });
  expect((await refused.answer).status).toBe(409);
  expect(await app.context().em.count(SubscriptionChange, { subscription: id, doneAt: null })).toBe(1);
});

test("a new price doesn't refuse the retry of an upgrade that the provider made before", async () => {
  const { user, token: customer } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await confirm(customer);
  const { faults, webhooks } = app.simulator;
  webhooks.setBehaviour({ drop: true });
  faults.add({ method: "POST", path: "/v1/subscriptions/:id", kind: "close", moment: "after", times: 2 });
  expect((await change(customer)).status).toBe(503);
  faults.clear();
  await setPrice();
  expect((await change(customer)).text).toBe("true");
  webhooks.setBehaviour({});
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ planPrice: priceId, amountCents: 14_995 });
  expect(await listProviderInvoices(app, user.id)).toHaveLength(2);
});

test("a new price below the price that a subscriber of a lower level pays lets the change wait for the renewal", async () => {
  const { user, token: customer } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await setPrice({ audCents: 9_995 });
  expect((await confirm(customer)).json).toContain("Nothing is charged now");
  expect((await change(customer)).text).toBe("true");
  const { subscription } = await loadSubscription(app, user.id);
  const next = { nextPlanPrice: priceId, nextAmountCents: 9_995 };
  expect(subscription).toMatchObject({ planPrice: "xer-plus-monthly", ...next });
  expect((await listProviderInvoices(app, user.id)).map(({ totalCents }) => totalCents)).toEqual([12_370]);
});

test("a new price isn't charged to a subscriber who keeps the current plan after all, nor shown to them", async () => {
  const { user, token: customer } = await createSubscriber(app);
  await change(customer, "xer-plus-monthly");
  await setPrice();
  expect((await confirm(customer)).json).toContain("will stay at Professional, monthly");
  expect((await change(customer)).text).toBe("true");
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ planPrice: priceId, amountCents: 14_995, nextPlanPrice: null });
  expect(await listProviderInvoices(app, user.id)).toHaveLength(1);
  const product = { id: priceId, name: "Professional, monthly", price: 16_495 };
  expect((await status(customer)).products).toContainEqual(product);
});

test("a new price doesn't replace the price of a planned change when an upgrade is declined", async () => {
  const card = cardFields("failsLater");
  const { user, token: customer } = await createSubscriber(app, { productId: "xer-plus-monthly", ...card });
  await change(customer, "xer-standard-monthly");
  await setPrice({ priceId: "xer-standard-monthly", audCents: 7_995 });
  expect((await change(customer)).status).toBe(422);
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ nextPlanPrice: "xer-standard-monthly", nextAmountCents: 7_495 });
});

test("a subscriber whose notice goes out late keeps the price for another period", async () => {
  const yearly = { priceId: "xer-standard-yearly" };
  const { user, subscription } = await createSubscriber(app, { productId: yearly.priceId });
  await setPrice({ ...yearly, audCents: 75_000 });
  const { clock } = app;
  const before = clock.offsetMs;
  const lastDay = before + subscription.currentPeriodEndsAt.getTime() - clock.now().getTime() - 30 * DAY;
  clock.setOffset(lastDay - HOUR);
  await moveSubscribers(app.context(), { ...yearly, reason: "For everybody", key: randomUUID() });
  clock.setOffset(lastDay + HOUR);
  await app.services.jobs.drain();
  const { renewsAt } = await app.context().em.fork().findOneOrFail(PriceMove, { subscription: subscription.id });
  expect(renewsAt.getTime()).toBeGreaterThan(subscription.currentPeriodEndsAt.getTime() + 300 * DAY);
  expect((await loadSubscription(app, user.id)).subscription.nextAmountCents).toBeNull();
  const notice = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("price"));
  expect(notice?.text).toContain(formatSellerDate(renewsAt));
  clock.setOffset(before);
});

test("a subscriber whose account is closed at the moment of the notice gets none", async () => {
  const { user, subscription } = await createSubscriber(app);
  await setPrice();
  await moveSubscribers(app.context(), { priceId, reason: "For everybody", key: randomUUID() });
  const { id: moveId } = await app.context().em.fork().findOneOrFail(PriceMove, { subscription: subscription.id });
  const { moving } = await app.services.orm.em.fork().transactional(async (em) => {
    const owner = await em.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const moving = moveSubscriber(app.context(), { moveId });
    await waitForLock(app);
    owner.archivedAt = app.clock.now();
    return { moving };
  });
  await moving;
  expect(await app.context().em.fork().findOneOrFail(PriceMove, moveId)).toMatchObject({ state: "skipped" });
  expect((await listEmailsTo(app, user.email)).filter(({ subject }) => subject.includes("price"))).toEqual([]);
});
