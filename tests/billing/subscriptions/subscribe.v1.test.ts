import { expect, test } from "vitest";
import { formatAud } from "#schema/money.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createConcurrentLicence, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import {
  cardFields,
  createSubscriber,
  getCustomerId,
  postSubscription,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const customer = (changes = {}) => createSignedIn(app, changes);
const confirm = (token: string, body: unknown) =>
  app.rest("POST", "/v1/subscriptions/confirm-subscription", { token, body });

test("issues and emails a single-user licence at the plan's level that lasts until 3 days after the period", async () => {
  const { user, token } = await customer();
  const before = app.clock.now();
  expect((await postSubscription(app, token)).text).toBe("true");
  const { subscription, licence } = await loadSubscription(app, user.id);
  const card = { cardLast4: "4242", cardExpires: "12/39" };
  const running = { status: "active", isCancelledAtPeriodEnd: false };
  expect(subscription).toMatchObject({ planPrice: "xer-professional-monthly", ...running, ...card });
  const kind = { productLevel: 2, licenceType: 1, licenceCategory: 1 };
  expect(licence).toMatchObject({ ...kind, numberOfUsers: 1, numberOfMachines: 1 });
  expect(licence.expiresAt.getTime() - subscription.currentPeriodEndsAt.getTime()).toBe(3 * DAY);
  const days = (subscription.currentPeriodEndsAt.getTime() - before.getTime()) / DAY;
  expect(days).toBeGreaterThan(27.9);
  expect(days).toBeLessThan(31.1);
  const email = (await listEmailsTo(app, user.email)).find((one) => one.subject.includes("has started"));
  expect(email?.text).toContain(licence.licenceCode);
});

test("explains why a card is refused, stores no subscription, and accepts another card", async () => {
  const { user, token } = await customer();
  for (const [card, message] of [
    ["declined", "Your card was declined. Please use another card or contact your bank."],
    ["insufficient", "Your card has insufficient funds. Please use another card."],
    ["expired", "Your card has expired. Please use another card."],
    ["wrongCvc", "The security code of your card is incorrect."],
  ] as const) {
    const response = await postSubscription(app, token, cardFields(card));
    expect([response.status, response.json.Message]).toEqual([422, message]);
  }
  expect(await em().count(Subscription, { user: user.id })).toBe(0);
  expect(await em().count(Licence, { user: user.id })).toBe(0);
  expect(await em().count(Checkout, { user: user.id, state: "declined" })).toBe(4);
  expect([await listEmailsTo(app, user.email), (await postSubscription(app, token)).text]).toEqual([[], "true"]);
});

test("rejects a second subscription and charges once", async () => {
  const { user, token } = await createSubscriber(app);
  const other = await postSubscription(app, token, { productId: "xer-plus-yearly" });
  expect([other.status, other.json.Message]).toEqual([409, "You already have an active subscription."]);
  expect((await postSubscription(app, token)).text).toBe("true");
  expect(await em().count(Subscription, { user: user.id })).toBe(1);
  expect(await app.services.payments.listSubscriptions(await getCustomerId(app, user.id))).toHaveLength(1);
});

test("ends a trial and revokes a licence of a lower level, but none for several users or of the same or the corporate level", async () => {
  const { user, token } = await customer();
  const trial = await createTrialLicence(app, user, { productLevel: 13 });
  expect((await confirm(token, { productId: "xer-professional-monthly" })).json).toContain("Your trial ends");
  const lower = await createLicence(app, user, { productLevel: 11 });
  const same = await createLicence(app, user, { productLevel: 7 });
  const corporate = await createLicence(app, user, { productLevel: 14 });
  const shared = await createConcurrentLicence(app, user, { productLevel: 1 });
  expect((await confirm(token, { productId: "xer-professional-monthly" })).json).toContain(
    "Your Plus+ (cryptolicensing) licence ends when the subscription starts, because the new licence replaces it. Email us",
  );
  await postSubscription(app, token);
  const revoked = async (id: string) => (await em().findOneOrFail(Licence, id)).revokedAt !== null;
  const ids = [trial.id, lower.id, same.id, corporate.id, shared.id];
  expect(await Promise.all(ids.map(revoked))).toEqual([true, true, false, false, false]);
  for (const productLevel of [3, 8]) {
    const next = await customer();
    const { id } = await createTrialLicence(app, next.user, { productLevel });
    await postSubscription(app, next.token);
    expect(await revoked(id)).toBe(true);
  }
});

test("confirms the charge, with GST only for Australians, without subscribing", async () => {
  const { user, token } = await customer();
  const { status, json } = await confirm(token, { productId: "xer-professional-monthly" });
  expect(status).toBe(200);
  expect(json).toMatch(
    /^You are subscribing to Professional, monthly\. Your card will be charged A\$164\.95 \(including A\$15\.00 GST\) now, and the same every month from \d{1,2} [A-Z][a-z]{2} \d{4} until you cancel\./,
  );
  expect(await em().count(Checkout, { user: user.id })).toBe(0);
  const abroad = await customer({ country: "New Zealand", state: "Otago" });
  const { json: sentence } = await confirm(abroad.token, { productId: "xer-professional-yearly" });
  expect(sentence).toContain("A$1,424.00 now");
  expect(sentence).not.toContain("GST");
});

test.each([
  [
    "to the first payment only",
    {},
    "A$148.45 (including A$13.50 GST) now, and A$164.95 (including A$15.00 GST) every month",
    { totalCents: 14_845 },
    "The first payment is A$148.45. Your next payment of A$164.95 is due",
  ],
  [
    "so that an amount below the card minimum is added to the next payment",
    { discountType: "amount", amountCents: 14_975 } as const,
    "Nothing is charged now, because a card can't pay less than A$0.50: A$0.22 (including A$0.02 GST) is added to your next payment",
    { status: "paid", totalCents: 22, dueCents: 0 },
    "Nothing is charged now, because a card can't pay less than A$0.50: A$0.22 is added to your next payment. Your next payment of A$165.17 is due",
  ],
])("applies a promo code %s", async (_what, changes, sentence, invoice, emailed) => {
  const promoCode = (await createPromoCode(app, changes)).code.toLowerCase();
  const { user, token } = await customer();
  expect((await confirm(token, { productId: "xer-professional-monthly", promoCode })).json).toContain(sentence);
  expect((await postSubscription(app, token, { promoCode })).text).toBe("true");
  const [found] = await app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
  expect(found?.invoices).toMatchObject([invoice]);
  const { nextChargeCents } = await app.call("subscriptionStatus { nextChargeCents }", {}, token);
  expect(emailed).toContain(`Your next payment of ${formatAud(nextChargeCents)} is due`);
  const emails = await listEmailsTo(app, user.email);
  expect(emails.find(({ subject }) => subject.includes("has started"))?.text).toContain(emailed);
  const thanks = emails.filter(({ text }) => text.includes("Thank you for your payment."));
  expect(thanks).toHaveLength(emailed.startsWith("The first payment") ? 1 : 0);
});

test.each([
  ["nothing", { basisPoints: 10_000 }, { discountCents: 14_995, totalCents: 0 }],
  ["4 cents", { discountType: "amount", amountCents: 14_991 } as const, { discountCents: 14_991, totalCents: 4 }],
])("issues a tax invoice over %s with the GST rate of Australia", async (_what, changes, sums) => {
  const { code } = await createPromoCode(app, changes);
  const { user, token } = await customer();
  expect((await postSubscription(app, token, { promoCode: code })).text).toBe("true");
  const invoice = await em().findOneOrFail(TaxInvoice, { user: user.id });
  expect(invoice).toMatchObject({ ...sums, gstCents: 0, gstBasisPoints: 1_000 });
});

test("rejects confirming and subscribing with messages by field, and accepts a card number with spaces", async () => {
  const { user, token } = await customer();
  for (const [body, fields] of [
    [{}, { productId: ["Subscription level is required."] }],
    [{ productId: "xer-galactic" }, { productId: [expect.stringContaining("not available")] }],
    [{ productId: "xer-plus", promoCode: "NOPE" }, { promoCode: [expect.any(String)] }],
  ] as const) {
    const { status, json } = await confirm(token, body);
    expect([status, json]).toEqual([400, fields]);
  }
  // GraphQL has another name for the plan price.
  for (const planPriceId of ["", "xer-galactic"])
    await expect(app.call("confirmSubscription { message }", { planPriceId }, token)).rejects.toMatchObject({
      fields: { planPriceId: [expect.stringMatching(/required|not available/)] },
    });
  for (const [changes, fields] of [
    [{ cardNumber: "", expiryDate: "", cvc: "" }, ["cardNumber", "cvc", "expiryDate"]],
    [{ cardNumber: "4242 4242 4242 four" }, ["cardNumber"]],
    [{ expiryDate: "13/39" }, ["expiryDate"]],
    [{ cvc: "12" }, ["cvc"]],
  ] as const) {
    const { status, json } = await postSubscription(app, token, changes);
    expect([status, Object.keys(json).toSorted()]).toEqual([400, fields]);
  }
  // The message doesn't repeat the number.
  const { json } = await postSubscription(app, token, { cardNumber: ["4242424242424242"] });
  expect(json).toEqual({ cardNumber: ["The card number is not valid."] });
  expect(await em().count(Checkout, { user: user.id })).toBe(0);
  expect((await postSubscription(app, token, { cardNumber: "4242 4242 4242 4242" })).text).toBe("true");
});

test("rejects raw card numbers when a payment provider is set up, and names the field to send instead", async () => {
  const { token } = await customer();
  (app.services.config as { acceptsRawCards: boolean }).acceptsRawCards = false;
  const { status, json } = await postSubscription(app, token);
  (app.services.config as { acceptsRawCards: boolean }).acceptsRawCards = true;
  expect(status).toBe(400);
  expect(json.paymentMethodId[0]).toContain("paymentMethodId");
});

test("stores no card number in the database", async () => {
  const { token } = await customer();
  await postSubscription(app, token, cardFields("authentication"));
  await postSubscription(app, token, cardFields("declined"));
  const select = `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  const tables = await app.services.pool.query<{ name: string }>(select);
  for (const { name } of tables.rows) {
    const sql = `select 1 from ${name} t where t::text ~ '(400000250000?3155|4000000000000002|4242424242424242)'`;
    expect((await app.services.pool.query(sql)).rows, name).toEqual([]);
  }
});
