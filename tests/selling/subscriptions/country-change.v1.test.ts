import { expect, test } from "vitest";
import {
  advanceTime,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const newZealand = { postCode: "9016", country: "New Zealand", state: "Otago" };
const australia = { postCode: "4000", country: "Australia", state: "QLD" };

type Subscriber = Awaited<ReturnType<typeof createSubscriber>>;

/** Changes the profile and runs the jobs that update the payment provider. */
async function move({ user, token }: Subscriber, to: typeof australia): Promise<void> {
  const { json: profile } = await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { token });
  const body = { ...profile, ...to };
  expect((await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body })).status).toBe(200);
  await app.services.jobs.drain();
}

async function scheduleChangeToPlus({ token }: Subscriber): Promise<void> {
  const response = await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect(response.text).toBe("true");
}

/** Advances to the next payment and returns the invoice amounts. */
async function getInvoicesAfterRenewal({ user }: Subscriber) {
  await advanceTime(app, 31.5);
  return (await listProviderInvoices(app, user.id)).map(({ gstCents, totalCents }) => ({ gstCents, totalCents }));
}

test("changes the GST of future payments when the country changes", async () => {
  const subscriber = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await move(subscriber, newZealand);
  expect(await getInvoicesAfterRenewal(subscriber)).toEqual([
    { gstCents: 1_125, totalCents: 12_370 },
    { gstCents: 0, totalCents: 11_245 },
  ]);
});

test("keeps a planned downgrade and removes its GST after a move out of Australia", async () => {
  const subscriber = await createSubscriber(app);
  await scheduleChangeToPlus(subscriber);
  await move(subscriber, newZealand);
  expect((await loadSubscription(app, subscriber.user.id)).subscription).toMatchObject({
    nextPlanPrice: "xer-plus-monthly",
    gstBasisPoints: 0,
  });
  expect(await getInvoicesAfterRenewal(subscriber)).toEqual([
    { gstCents: 1_500, totalCents: 16_495 },
    { gstCents: 0, totalCents: 11_245 },
  ]);
});

test("keeps a planned downgrade and adds GST after a move to Australia", async () => {
  const subscriber = await createSubscriber(app);
  await move(subscriber, newZealand);
  await scheduleChangeToPlus(subscriber);
  await move(subscriber, australia);
  expect(await getInvoicesAfterRenewal(subscriber)).toEqual([
    { gstCents: 1_500, totalCents: 16_495 },
    { gstCents: 1_125, totalCents: 12_370 },
  ]);
});
