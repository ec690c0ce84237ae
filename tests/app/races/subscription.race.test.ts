import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import { cardFields, createSubscriber, postSubscription } from "#tests/factories/subscription.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 3;
const AT_ONCE = 20;
const em = () => app.services.orm.em.fork();

test("creates one subscription and one charge for 20 identical concurrent requests across two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const body = { productId: "xer-professional-monthly", ...cardFields() };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => call("POST", "/v1/subscriptions/create-subscription", body, token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    expect(await em().count(Subscription, { user: user.id })).toBe(1);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    await expectCharges(user.id, 1);
  }
}, 120_000);

test("creates one subscription and one charge for 20 concurrent requests for different plans", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const products = ["xer-standard-monthly", "xer-plus-yearly", "xer-professional-monthly", "xer-professional-yearly"];
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        call(
          "POST",
          "/v1/subscriptions/create-subscription",
          { productId: products[n % products.length], ...cardFields() },
          token,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await em().count(Subscription, { user: user.id, status: "active" })).toBe(1);
    await expectCharges(user.id, 1);
  }
}, 120_000);

test("charges once for 20 identical concurrent upgrades", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, token } = await createSubscriber(app, { productId: "xer-standard-monthly" });
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        call("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", undefined, token),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    await expectCharges(user.id, 2);
  }
}, 120_000);

test("creates at most one subscription for concurrent declined and successful payments", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    await Promise.all(
      (["good", "declined", "good", "declined"] as const).map((card) => postSubscription(app, token, cardFields(card))),
    );
    const subscriptions = await em().count(Subscription, { user: user.id });
    expect(subscriptions).toBeLessThanOrEqual(1);
    await expectCharges(user.id, subscriptions);
  }
}, 120_000);

test("records one cancellation for 20 concurrent requests to cancel", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, token } = await createSubscriber(app);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => call("PATCH", "/v1/subscriptions/cancel-subscription", undefined, token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    const { rows } = await app.services.pool.query(
      `select c.withdrawn_at from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
        where s.user_id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ withdrawn_at: null }]);
  }
}, 120_000);

async function expectCharges(userId: string, count: number): Promise<void> {
  const { rows } = await app.services.pool.query(
    "select provider_customer_id as id from payment_customers where user_id = $1",
    [userId],
  );
  const found = rows[0] ? await app.services.payments.listSubscriptions(rows[0].id) : [];
  const paid = found.flatMap((one) => one.invoices.filter((invoice) => invoice.status === "paid"));
  expect(paid).toHaveLength(count);
}
