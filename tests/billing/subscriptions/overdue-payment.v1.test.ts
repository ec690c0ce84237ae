import { afterEach, expect, test } from "vitest";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import {
  advanceTime,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { createPastDue, giveGoodCard } = openSubscriptionActions(app);

const update = (values: Record<string, string>, token: string) =>
  app.call("updatePaymentDetails { state message id clientSecret }", values, token);

/** Answers the bank as the browser does. */
async function authenticate(clientSecret: string, answer: "succeed" | "fail" = "succeed"): Promise<void> {
  const [id = ""] = clientSecret.split("_secret");
  await fetch(`${app.url}/dev/payments/v1/${id.startsWith("seti_") ? "setup" : "payment"}_intents/${id}/confirm`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.simulator.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, simulated_authentication: answer }),
  });
}

/** Gives a card whose bank confirms every payment to a customer whose renewal failed. */
async function startConfirmation(token: string) {
  const setup = await update({ paymentMethodId: "pm_card_authenticationRequired" }, token);
  await authenticate(setup.clientSecret);
  const payment = await update({ preparationId: setup.id }, token);
  expect(payment).toMatchObject({ state: "NEEDS_AUTHENTICATION", message: null });
  return payment;
}

async function createUnconfirmed() {
  const { user } = await createPastDue();
  const token = await signInAs(app, user);
  return { user, token, payment: await startConfirmation(token) };
}

/** Checks that the renewal was charged `times` times. */
async function expectCharged(userId: string, times: 0 | 1): Promise<void> {
  const [, renewal] = await listProviderInvoices(app, userId);
  expect(renewal?.attempts.filter(({ reason }) => reason === null)).toHaveLength(times);
  expect((await loadSubscription(app, userId)).subscription.status).toBe(times ? "active" : "past_due");
}

test("charges an overdue payment once after the customer has confirmed it with the bank, also in two tabs", async () => {
  const { user, token, payment } = await createUnconfirmed();
  expect(await update({ preparationId: payment.id }, token)).toEqual(payment);
  const other = await startConfirmation(token);
  await expectCharged(user.id, 0);
  await authenticate(payment.clientSecret);
  await authenticate(other.clientSecret);
  for (const { id } of [payment, other, payment])
    expect(await update({ preparationId: id }, token)).toMatchObject({ state: "DONE" });
  await expectCharged(user.id, 1);
  expect((await loadSubscription(app, user.id)).subscription.cardLast4).toBe("3184");
});

test("says why a confirmation failed, and takes the next one", async () => {
  const { user, payment } = await createUnconfirmed();
  // The provider's own retry ends what the customer could confirm.
  await advanceTime(app, 6);
  await authenticate(payment.clientSecret);
  const token = await signInAs(app, user);
  const expired = { state: "DECLINED", message: expect.stringContaining("enter the card again") };
  expect(await update({ preparationId: payment.id }, token)).toMatchObject(expired);
  const second = await startConfirmation(token);
  await authenticate(second.clientSecret, "fail");
  const refused = { state: "DECLINED", message: "The payment was not confirmed with your bank." };
  expect(await update({ preparationId: second.id }, token)).toMatchObject(refused);
  await expectCharged(user.id, 0);
  const third = await startConfirmation(token);
  await authenticate(third.clientSecret);
  expect(await update({ preparationId: third.id }, token)).toMatchObject({ state: "DONE" });
  await expectCharged(user.id, 1);
});

test("records an overdue payment that was confirmed in a browser that never came back", async () => {
  const { user, payment } = await createUnconfirmed();
  await authenticate(payment.clientSecret);
  await advanceTime(app, 0.001);
  await expectCharged(user.id, 1);
});

test("keeps the card that paid in the meantime, and shows an overdue payment to nobody else", async () => {
  const { user, token, payment } = await createUnconfirmed();
  const stranger = await createSubscriber(app);
  for (const [preparationId, by] of [
    ["pi_nobody", token],
    [payment.id, stranger.token],
  ] as const)
    await expect(update({ preparationId }, by)).rejects.toHaveProperty("code", "NOT_FOUND");
  await giveGoodCard(user.id);
  await advanceTime(app, 6);
  await authenticate(payment.clientSecret);
  const again = await signInAs(app, user);
  expect(await update({ preparationId: payment.id }, again)).toMatchObject({ state: "DONE" });
  await expectCharged(user.id, 1);
  expect((await loadSubscription(app, user.id)).subscription.cardLast4).toBe("4242");
});
