import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { DAY } from "#api/platform/clock.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listLicenceEvents,
  listProviderInvoices,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const patch = (token: string, call: string) => app.rest("PATCH", `/v1/subscriptions/${call}`, { token });
const subjects = async (email: string) => (await listEmailsTo(app, email)).map((mail) => mail.subject);

test("refunds and ends a customer's second subscription, and never activates it later", async () => {
  const { user, token } = await createSubscriber(app);
  const customerId = await getCustomerId(app, user.id);
  await app.services.payments.startSubscription({
    key: `second-${user.id}`,
    customerId,
    paymentMethodId: "pm_card_visa",
    price: { id: "xer-plus-monthly", planSlug: "xer-plus", planName: "Plus+", interval: "monthly", audCents: 11_245 },
    gstBasisPoints: 1_000,
    discountCents: 0,
    checkoutId: user.id,
    userId: user.id,
  });
  await advanceTime(app, 0.001);
  const found = await app.services.payments.listSubscriptions(customerId);
  const second = found.find((one) => one.priceId === "xer-plus-monthly");
  expect(second?.status).toBe("ended");
  expect(second?.invoices[0]?.refunds.map((refund) => refund.amountCents)).toEqual([12_370]);
  expect(await listAmounts(token)).toEqual([-12_370, 12_370, 16_495]);

  // After the first subscription ends, the second one must not count as new.
  await patch(await signInAs(app, user), "cancel-subscription");
  await advanceTime(app, 32);
  await syncCustomer(app.context(), customerId);
  expect(await app.services.orm.em.fork().count(Subscription, { user: user.id })).toBe(1);
  expect(await app.services.orm.em.fork().count(Licence, { user: user.id })).toBe(1);
});

test("keeps a licence that an admin extended when an ended subscription is synced again", async () => {
  const { user, token, licence } = await createSubscriber(app);
  await patch(token, "cancel-subscription");
  await advanceTime(app, 32);
  const expiresAt = new Date(app.clock.now().getTime() + 90 * DAY);
  await app.services.orm.em.fork().nativeUpdate(Licence, { id: licence.id }, { expiresAt });
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  expect((await loadSubscription(app, user.id)).licence.expiresAt).toEqual(expiresAt);
});

test("revokes the licence and ends the subscription after a full refund", async () => {
  const { user } = await createSubscriber(app);
  const [invoice] = await listProviderInvoices(app, user.id);
  await app.services.payments.refundInvoice(invoice?.id ?? "", "refund-in-the-dashboard");
  await advanceTime(app, 0.001);
  expect(await subjects(user.email)).toContainEqual(expect.stringContaining("adjustment note"));
  const { subscription, licence } = await loadSubscription(app, user.id);
  expect(licence.revokedAt).not.toBeNull();
  expect(subscription.status).toBe("cancelled");
});

test("suspends the licence during a dispute, reinstates it if it is won, and revokes it if it is lost", async () => {
  for (const [outcome, last, amounts] of [
    ["won", "reinstate", [16_495]],
    ["lost", "revoke", [-16_495, 16_495]],
  ] as const) {
    const { user, licence } = await createSubscriber(app, cardFields("disputed"));
    await advanceTime(app, 1);
    const suspended = (await loadSubscription(app, user.id)).licence;
    expect([suspended.suspendedAt !== null, suspended.revokedAt]).toEqual([true, null]);
    const [invoice] = await listProviderInvoices(app, user.id);
    await closeDispute(invoice?.chargeId ?? "", outcome);
    await advanceTime(app, 0.001);
    expect(await listLicenceEvents(app, licence.id)).toEqual(["issue", "suspend", last]);
    const after = (await loadSubscription(app, user.id)).licence;
    expect([after.suspendedAt !== null, after.revokedAt !== null]).toEqual([outcome === "lost", outcome === "lost"]);
    expect(await listAmounts(await signInAs(app, user))).toEqual(amounts);
  }
});

/** Closes a dispute with an outcome, through a call that only the simulator has. */
async function closeDispute(charge: string, outcome: string): Promise<void> {
  const { url, secretKey } = app.simulator;
  const headers = { authorization: `Bearer ${secretKey}` };
  const found = (await (await fetch(`${url}/v1/disputes?charge=${charge}`, { headers })).json()) as {
    data: { id: string }[];
  };
  const close = `${url}/v1/test_helpers/disputes/${found.data[0]?.id}/close`;
  const response = await fetch(close, { method: "POST", headers, body: new URLSearchParams({ outcome }) });
  if (!response.ok) throw new Error(await response.text());
}

/** Lists the amounts of a customer's tax invoices and adjustment notes, lowest first. */
async function listAmounts(token: string): Promise<number[]> {
  const { json } = await app.rest("GET", "/v1/taxInvoice", { token });
  return json.map(({ amount }: { amount: number }) => amount).toSorted((one: number, other: number) => one - other);
}
