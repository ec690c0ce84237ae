import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { findPlanPrice, Plan, type PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { toSyncedPrice } from "#api/billing/plans/sync-catalogue.ts";
import { buildChangeConfirmation } from "#api/billing/subscriptions/confirm-subscription.ts";
import { createPaymentsOff } from "#api/platform/payments/payments.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { PaymentCustomer, syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { openSubscriptionCalls, showDay } from "#tests/factories/subscription-calls.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listLicenceEvents,
  listProviderInvoices,
  loadSubscription,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { signInAs, createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { connectPayments, connectStripe } from "#tests/support/payment-simulator.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { status, patch, put } = openSubscriptionCalls(app);

test("emails the customer about a planned and an immediate change, with the next amount and date", async () => {
  const { user, token, subscription } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  const due = `is due on ${showDay(subscription.currentPeriodEndsAt)}.`;
  const last = async () => (await listEmailsTo(app, user.email))[0];
  const started = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("has started"));
  expect(started?.text).toContain(`The first payment is A$123.70. Your next payment of A$123.70 ${due}`);
  await put(token, "update-subscription/xer-standard-monthly");
  const planned = await last();
  expect(planned?.subject).toContain(`changes to Standard, monthly on ${showDay(subscription.currentPeriodEndsAt)}`);
  expect(planned?.text).toContain(`Your next payment of A$82.45 ${due}`);
  await put(token, "update-subscription/xer-professional-monthly");
  const emails = await listEmailsTo(app, user.email);
  const changed = emails.find(({ subject }) => subject.includes("has changed to Professional, monthly"));
  expect(changed?.text).toContain(`Your next payment of A$164.95 ${due}`);
  // A repeated sync sends nothing more.
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  expect(await listEmailsTo(app, user.email)).toHaveLength(emails.length);
});

test("returns documented statuses for an unknown card setup, and for changes while card payments are off", async () => {
  const { token } = await createSubscriber(app, { productId: "xer-standard-monthly" });
  const unknown = await patch(token, "update-payment-details", { preparationId: "seti_nobody" });
  expect(unknown.status).toBe(404);
  const { payments } = app.services;
  Object.assign(app.services, { payments: createPaymentsOff() });
  const calls = [
    await patch(token, "cancel-subscription"),
    await patch(token, "resume-subscription"),
    await put(token, "confirm-update-subscription/xer-professional-monthly"),
  ];
  Object.assign(app.services, { payments });
  expect(calls.map((call) => call.status)).toEqual([422, 422, 422]);
});

test("adds what was too small to charge to the next payment of a planned change", async () => {
  const { code: promoCode } = await createPromoCode(app, { discountType: "amount", amountCents: 14_975 });
  const { user, token } = await createSubscriber(app, { productId: "xer-professional-monthly", promoCode });
  await put(token, "update-subscription/xer-plus-monthly");
  expect((await listEmailsTo(app, user.email))[0]?.text).toContain("Your next payment of A$123.92 is due on");
});

test("charges an upgrade immediately with the exact previewed amount, keeps the licence, and renews it", async () => {
  const { user, licence } = await createSubscriber(app, { productId: "xer-standard-monthly" });
  const replaced = await createLicence(app, user, { productLevel: 11 });
  await advanceTime(app, 10);
  const token = await signInAs(app, user);
  const { json: sentence } = await put(token, "confirm-update-subscription/xer-professional-monthly");
  expect(sentence).toContain("Your Plus+ (cryptolicensing) licence ends when the new plan starts");
  const [, quoted] = /will be charged A\$([\d,.]+) now/.exec(sentence) ?? [];
  expect((await put(token, "update-subscription/xer-professional-monthly")).text).toBe("true");
  const after = await loadSubscription(app, user.id);
  expect(after.licence).toMatchObject({ id: licence.id, licenceCode: licence.licenceCode, productLevel: 2 });
  expect((await app.context().em.fork().findOneOrFail(Licence, replaced.id)).revokedAt).not.toBe(null);
  const invoices = await listProviderInvoices(app, user.id);
  expect(invoices).toHaveLength(2);
  expect(invoices[1]?.totalCents).toBe(Math.round(Number(quoted?.replace(",", "")) * 100));
  expect(invoices[1]?.reason).toBe("change");
  // The day of the next payment belongs to the next period.
  const [first, last] = [
    showDay(app.clock.now()),
    showDay(addMilliseconds(after.subscription.currentPeriodEndsAt, -DAY)),
  ];
  const issued = await app.services.orm.em.fork().find(TaxInvoice, { user: user.id }, { orderBy: { issuedAt: "asc" } });
  expect(issued.map(({ lines }) => lines.map(({ description }) => description))).toEqual([
    ["Standard, monthly subscription"],
    [
      `Unused time on Standard, monthly, ${first} to ${last}`,
      `Professional, monthly subscription, ${first} to ${last}`,
    ],
  ]);
  await advanceTime(app, 25);
  expect(await listLicenceEvents(app, licence.id)).toEqual(["issue", "change", "extend"]);
});

test("leaves the product's name at the provider to the synced catalogue", async () => {
  const stripe = connectStripe(app.simulator);
  const monthly = await findPlanPrice(app.services.orm.em.fork(), "xer-standard");
  if (!monthly) throw new Error("no plan");
  await stripe.products.create({ id: "xer-standard", name: "Standard" }).catch(() => undefined);
  await stripe.products.update("xer-standard", { name: "Standard 2026" });
  // Another amount isn't cached yet.
  const payments = connectPayments(app.simulator);
  const { subscription } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  const subscriptionId = subscription.providerSubscriptionId ?? "";
  await payments.changePlanAtRenewal({ subscriptionId, price: toSyncedPrice(monthly), key: randomUUID() });
  expect((await stripe.products.retrieve("xer-standard")).name).toBe("Standard 2026");
});

test("shows an upgrade again if its GST has changed since, because the customer moved to Australia", async () => {
  const { user, token } = await createSignedIn(app, { country: "New Zealand" });
  await postSubscription(app, token, { productId: "xer-plus-monthly" });
  expect((await put(token, "confirm-update-subscription/xer-professional-monthly")).json).not.toContain("GST");
  await app.context().em.fork().nativeUpdate(User, { id: user.id }, { country: "Australia" });
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  expect((await put(token, "update-subscription/xer-professional-monthly")).status).toBe(409);
  expect(await listProviderInvoices(app, user.id)).toHaveLength(1);
  expect((await put(token, "confirm-update-subscription/xer-professional-monthly")).json).toContain("GST");
});

test("starts a new year immediately when changing from monthly to yearly", async () => {
  const { user } = await createSubscriber(app);
  await advanceTime(app, 5);
  expect((await put(await signInAs(app, user), "update-subscription/xer-professional-yearly")).text).toBe("true");
  const { subscription, licence } = await loadSubscription(app, user.id);
  expect((subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime()) / DAY).toBeGreaterThan(364);
  expect(licence.expiresAt.getTime()).toBe(subscription.currentPeriodEndsAt.getTime() + 3 * DAY);
});

test("schedules a downgrade for the next payment, which can be cancelled, and a second one after it", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  expect((await put(token, "confirm-update-subscription/xer-plus-monthly")).json).toContain("Nothing is charged now");
  expect((await put(token, "update-subscription/xer-plus-monthly")).text).toBe("true");
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(2);
  const expected = `It changes to Plus+, monthly on ${showDay(subscription.currentPeriodEndsAt)}`;
  expect((await status(token)).message).toContain(expected);
  expect((await app.call("keepPresentPlan { message }", {}, token)).message).not.toContain("It changes");
  const [kept] = await listEmailsTo(app, user.email);
  expect(kept?.subject).toContain("stays on Professional, monthly");
  expect(kept?.text).toContain("Your next payment of A$164.95 is due on");
  await put(token, "update-subscription/xer-plus-monthly");
  await advanceTime(app, 32);
  const after = await loadSubscription(app, user.id);
  expect([after.subscription.planPrice, after.licence.productLevel]).toEqual(["xer-plus-monthly", 1]);
  expect((await listProviderInvoices(app, user.id)).map((invoice) => invoice.totalCents)).toEqual([16_495, 12_370]);

  const next = await signInAs(app, user);
  expect((await put(next, "update-subscription/xer-standard-monthly")).text).toBe("true");
  expect((await status(next)).message).toContain("It changes to Standard, monthly");
  await advanceTime(app, 31);
  expect((await loadSubscription(app, user.id)).subscription.planPrice).toBe("xer-standard-monthly");
});

test("withdraws a planned change if the current plan is chosen, also after it went off sale", async () => {
  const { user, token } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await put(token, "update-subscription/xer-standard-monthly");
  const em = app.context().em.fork();
  await em.nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: false });
  const { text } = await put(token, "update-subscription/xer-plus-monthly");
  await em.nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: true });
  expect([text, (await loadSubscription(app, user.id)).subscription.nextPlanPrice]).toEqual(["true", null]);
});

test("refuses to change a subscription that predates the payment provider", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  const em = app.context().em.fork();
  await em.nativeUpdate(Subscription, { id: subscription.id }, { providerSubscriptionId: null });
  await em.nativeDelete(PaymentCustomer, { user: user.id });
  expect((await put(token, "update-subscription/xer-plus-monthly")).status).toBe(409);
});

test("restores a planned downgrade when a cancelled subscription is resumed", async () => {
  const { user, token } = await createSubscriber(app);
  await put(token, "update-subscription/xer-plus-monthly");
  const planned = (await status(token)).message;
  await patch(token, "cancel-subscription");
  expect((await status(token)).message).toContain("is cancelled");
  await expect(app.call("keepPresentPlan { message }", {}, token)).rejects.toThrow("is cancelled");
  await patch(token, "resume-subscription");
  expect((await status(token)).message).toBe(planned);
  const emails = await listEmailsTo(app, user.email);
  expect(emails.some(({ subject }) => subject.includes("stays on"))).toBe(false);
  const resumed = emails.find(({ subject }) => subject.includes("continues"));
  expect(resumed?.text).toContain("Your next payment of A$123.70 is due on");
  await advanceTime(app, 32);
  expect((await loadSubscription(app, user.id)).subscription).toMatchObject({ planPrice: "xer-plus-monthly" });
  expect((await listProviderInvoices(app, user.id)).map((invoice) => invoice.totalCents)).toEqual([16_495, 12_370]);
  // Nothing is planned any more, so a later cancellation restores nothing.
  const next = await signInAs(app, user);
  await patch(next, "cancel-subscription");
  await patch(next, "resume-subscription");
  expect((await status(next)).message).not.toContain("changes to");
});

test("keeps the planned change if an upgrade is declined, and the licence's level until the new plan has been paid", async () => {
  const { user, token } = await createSubscriber(app, { productId: "xer-plus-monthly", ...cardFields("failsLater") });
  await put(token, "update-subscription/xer-standard-monthly");
  expect((await put(token, "update-subscription/xer-professional-monthly")).status).toBe(422);
  const { subscription, licence } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ planPrice: "xer-plus-monthly", nextPlanPrice: "xer-standard-monthly" });
  expect(licence.productLevel).toBe(1);
  await advanceTime(app, 32);
  const failed = await loadSubscription(app, user.id);
  expect(failed.subscription).toMatchObject({ planPrice: "xer-standard-monthly", status: "past_due" });
  expect(failed.licence.productLevel).toBe(1);
  await patch(await signInAs(app, user), "update-payment-details", cardFields());
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(0);
});

test("says that a small difference is charged with an earlier one, if a card can pay both", async () => {
  const { subscription } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  const find = async (id: string) => (await findPlanPrice(app.context().em, id)) as PlanPrice;
  const [from, to] = [await find("xer-plus-monthly"), await find("xer-professional-monthly")];
  const sums = { amountCents: 27, gstCents: 3, totalCents: 30, periodEnd: subscription.currentPeriodEndsAt };
  const confirm = async (dueCents: number) =>
    (await buildChangeConfirmation(app.context(), { subscription, from, to, preview: { ...sums, dueCents } })).message;
  expect(await confirm(0)).toContain("Nothing is charged now");
  const until = showDay(subscription.currentPeriodEndsAt);
  expect(await confirm(70)).toMatch(/will be charged A\$0\.70 now/);
  expect(await confirm(70)).toContain(`the time until ${until}, and A$0.40 of an earlier invoice.`);
});

test("keeps a subscription cancelled that the customer cancels while a change of plan is being scheduled", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  const { payments } = app.services;
  vi.spyOn(payments, "changePlanAtRenewal").mockImplementationOnce(async (change) => {
    await payments.setCancelAtPeriodEnd(subscription.providerSubscriptionId ?? "", true);
    return payments.changePlanAtRenewal(change);
  });
  const answer = await put(token, "update-subscription/xer-plus-monthly");
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("This subscription is cancelled.")]);
  const [found] = await payments.listSubscriptions(await getCustomerId(app, user.id));
  expect(found).toMatchObject({ isCancelledAtPeriodEnd: true, nextPriceId: null });
});
