import { expect, test } from "vitest";
import { advance, createSubscriber, invoicesAtProvider, subscriptionOf } from "#tests/factories/subscription.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const abroad = { postCode: "9016", country: "New Zealand", state: "Otago" };
const home = { postCode: "4000", country: "Australia", state: "QLD" };

type Subscriber = Awaited<ReturnType<typeof createSubscriber>>;

/** Changes the profile, and does what that leaves to be done at the payment provider. */
async function move({ user, token }: Subscriber, to: typeof home): Promise<void> {
  const { json: profile } = await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { token });
  const body = { ...profile, ...to };
  expect((await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body })).status).toBe(200);
  await app.services.jobs.drain();
}

async function planPlus({ token }: Subscriber): Promise<void> {
  const answer = await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect(answer.text).toBe("true");
}

/** Lets the next payment come due. */
async function paid({ user }: Subscriber) {
  await advance(app, 31.5);
  return (await invoicesAtProvider(app, user.id)).map(({ gstCents, totalCents }) => ({ gstCents, totalCents }));
}

test("a new country in the profile changes the GST of the payments to come", async () => {
  const subscriber = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await move(subscriber, abroad);
  expect(await paid(subscriber)).toEqual([
    { gstCents: 1_125, totalCents: 12_370 },
    { gstCents: 0, totalCents: 11_245 },
  ]);
});

test("who moves away with a change down planned pays the new plan without GST, which is still planned", async () => {
  const subscriber = await createSubscriber(app);
  await planPlus(subscriber);
  await move(subscriber, abroad);
  expect((await subscriptionOf(app, subscriber.user.id)).subscription).toMatchObject({
    nextPlanPrice: "xer-plus-monthly",
    gstBasisPoints: 0,
  });
  expect(await paid(subscriber)).toEqual([
    { gstCents: 1_500, totalCents: 16_495 },
    { gstCents: 0, totalCents: 11_245 },
  ]);
});

test("who moves to Australia with a change down planned pays the new plan with GST", async () => {
  const subscriber = await createSubscriber(app);
  await move(subscriber, abroad);
  await planPlus(subscriber);
  await move(subscriber, home);
  expect(await paid(subscriber)).toEqual([
    { gstCents: 1_500, totalCents: 16_495 },
    { gstCents: 1_125, totalCents: 12_370 },
  ]);
});
