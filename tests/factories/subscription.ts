import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import type { RestResponse, TestApp } from "#tests/support/test-app.ts";
import { createUser, signInAs } from "./user.ts";

/** The payment simulator's test cards, by their behaviour. */
export const cards = {
  good: "4242424242424242",
  declined: "4000000000000002",
  insufficient: "4000000000009995",
  expired: "4000000000000069",
  wrongCvc: "4000000000000127",
  authentication: "4000002500003155",
  failsLater: "4000000000000341",
  disputed: "4000000000000259",
} as const;

/** Builds the card fields of REST calls. */
export function cardFields(card: keyof typeof cards = "good") {
  return { cardNumber: cards[card], expiryDate: "12/39", cvc: "123" };
}

/** Calls `POST /v1/subscriptions/create-subscription`, with `changes`. */
export function postSubscription(
  test: TestApp,
  token: string,
  changes: Record<string, unknown> = {},
): Promise<RestResponse> {
  const body = { productId: "xer-professional-monthly", ...cardFields(), ...changes };
  return test.rest("POST", "/v1/subscriptions/create-subscription", { token, body });
}

/** Creates a customer with a paid subscription, with `changes` to the request. */
export async function createSubscriber(test: TestApp, changes: Record<string, unknown> = {}) {
  const user = await createUser(test);
  const token = await signInAs(test, user);
  const answer = await postSubscription(test, token, changes);
  if (answer.status !== 200) throw new Error(`create-subscription returned ${answer.status} ${answer.text}`);
  return { user, token, ...(await loadSubscription(test, user.id)) };
}

/** Loads the newest subscription of a user and its licence. */
export async function loadSubscription(
  test: TestApp,
  userId: string,
): Promise<{ subscription: Subscription; licence: Licence }> {
  const em = test.services.orm.em.fork();
  const subscription = await em.findOneOrFail(Subscription, { user: userId }, { orderBy: { startedAt: "desc" } });
  return { subscription, licence: await em.findOneOrFail(Licence, subscription.licence.id) };
}

/** Moves the clock forward with `POST /dev/clock`, which processes what has become due. */
export async function advanceTime(test: TestApp, days: number): Promise<void> {
  const { status, text } = await test.rest("POST", "/dev/clock", { body: { advanceSeconds: (days * DAY) / 1_000 } });
  if (status !== 200) throw new Error(`POST /dev/clock returned ${status} ${text}`);
}

/** Stops the provider's renewals. Otherwise, the next test would renew the subscriptions of this one, too. */
export async function stopRenewals({ services }: TestApp): Promise<void> {
  await services.pool.query("update payment_simulator.objects set due = null");
}

/** Loads the id of a user's customer at the payment provider. */
export async function getCustomerId(test: TestApp, userId: string): Promise<string> {
  const select = "select provider_customer_id as id from payment_customers where user_id = $1";
  return (await test.services.pool.query(select, [userId])).rows[0].id;
}

/** Lists a user's invoices at the payment provider. */
export async function listProviderInvoices(test: TestApp, userId: string) {
  const subscriptions = await test.services.payments.listSubscriptions(await getCustomerId(test, userId));
  return subscriptions.flatMap(({ invoices }) => [...invoices]);
}

/** Lists the kinds of the events in a licence's history, oldest first. */
export async function listLicenceEvents({ services }: TestApp, licenceId: string): Promise<string[]> {
  const events = await services.orm.em.fork().find(LicenceEvent, { licenceId }, { orderBy: { at: "asc", id: "asc" } });
  return events.map(({ kind }) => kind);
}
