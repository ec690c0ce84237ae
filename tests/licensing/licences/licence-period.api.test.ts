import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { advanceTime, cards, createSubscriber, loadSubscription } from "#tests/factories/subscription.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const periods = "{ me { licences { expiresAt periodEndsAt renewal } } }";
const queryPeriod = async (token: string) => {
  const { data, errors } = await app.graphql(periods, {}, token);
  expect(errors).toBeUndefined();
  return data.me.licences[0] as { expiresAt: string; periodEndsAt: string; renewal: string };
};

test("renews a subscribed licence at the end of the paid period, three days before it expires", async () => {
  const { token, subscription } = await createSubscriber(app);
  const period = await queryPeriod(token);
  expect(period.renewal).toBe("RENEWS");
  expect(period.periodEndsAt).toBe(subscription.currentPeriodEndsAt.toISOString());
  expect(Date.parse(period.expiresAt) - Date.parse(period.periodEndsAt)).toBe(3 * DAY);
});

test("ends the licence of a cancelled subscription at the end of the paid period", async () => {
  const { token, subscription } = await createSubscriber(app);
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token });
  expect(await queryPeriod(token)).toMatchObject({
    renewal: "ENDS",
    periodEndsAt: subscription.currentPeriodEndsAt.toISOString(),
  });
});

test("shows the payment as due since the end of the paid period after a failed renewal", async () => {
  const { user, subscription } = await createSubscriber(app, { cardNumber: cards.failsLater });
  await advanceTime(app, 32);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("past_due");
  expect(await queryPeriod(await signInAs(app, user))).toMatchObject({
    renewal: "PAYMENT_DUE",
    periodEndsAt: subscription.currentPeriodEndsAt.toISOString(),
  });
});

test("ends a licence without a subscription when it expires", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  expect(await queryPeriod(await signInAs(app, user))).toMatchObject({
    renewal: "NONE",
    periodEndsAt: licence.expiresAt.toISOString(),
  });
});

test("shows no grace period after a subscription has ended, and keeps a later date set by staff", async () => {
  const { token, subscription, licence } = await createSubscriber(app);
  const em = app.services.orm.em.fork();
  await em.nativeUpdate(Subscription, subscription.id, { status: "cancelled" });
  expect(await queryPeriod(token)).toMatchObject({
    renewal: "NONE",
    periodEndsAt: subscription.currentPeriodEndsAt.toISOString(),
  });
  const extended = new Date(licence.expiresAt.getTime() + 30 * DAY);
  await em.nativeUpdate(Licence, licence.id, { expiresAt: extended });
  expect(await queryPeriod(token)).toMatchObject({ renewal: "NONE", periodEndsAt: extended.toISOString() });
});

test("reads the periods of a list of licences in one statement", async () => {
  const user = await createUser(app);
  for (let n = 0; n < 3; n += 1) await createLicence(app, user);
  const token = await signInAs(app, user);
  const statements = await recordStatements(() => app.graphql(periods, {}, token));
  expect(statements.filter((text) => /"subscriptions"/.test(text))).toHaveLength(1);
});
