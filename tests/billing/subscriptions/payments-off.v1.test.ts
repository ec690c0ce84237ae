import { beforeAll, expect, test } from "vitest";
import { createPaymentsOff } from "#api/platform/payments/payments.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { postSubscription } from "#tests/factories/subscription.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
beforeAll(() => {
  Object.assign(app.services, { payments: createPaymentsOff() });
});

test("refuses a subscription by card and the provider's notices, and tells the portal to show no card fields", async () => {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  const { status, text } = await postSubscription(app, token);
  expect(status).toBe(422);
  expect(text).toContain("Card payments are switched off. Write to us to pay by bank transfer.");
  const { rows } = await app.services.pool.query("select 1 from checkouts where user_id = $1", [user.id]);
  expect(rows).toEqual([]);
  const { data } = await app.graphql("{ cardEntry { kind } subscriptionStatus { hasActiveSubscription } }", {}, token);
  expect(data).toEqual({ cardEntry: { kind: "OFF" }, subscriptionStatus: { hasActiveSubscription: false } });
  expect((await app.rest("POST", "/v1/payments/webhook", { body: { id: "evt_1" } })).status).toBe(422);
  expect(await app.services.payments.listEvents(app.clock.now())).toEqual([]);
});
