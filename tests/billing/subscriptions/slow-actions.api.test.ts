import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { finishActions } from "#api/billing/subscriptions/finish-action.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { createSubscriber, stopRenewals } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { payments, pool } = app.services;
const { run, createPastDue, giveGoodCard } = openSubscriptionActions(app);
const finance = async () => signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));

/** Runs the sweep as if a pending action was requested some time ago. */
async function finishAfter(time: string, subscriptionId: string): Promise<void> {
  const age = "update subscription_actions set created_at = created_at - $2::interval where subscription_id = $1";
  await pool.query(age, [subscriptionId, time]);
  await finishActions.run(app.context());
}

test("doesn't call a retry interrupted while a slow request may still charge the card", async () => {
  const { user, subscription } = await createPastDue();
  await giveGoodCard(user.id);
  vi.spyOn(payments, "payInvoice").mockImplementationOnce(async (...invoice) => {
    await finishAfter("1 minute", subscription.id);
    return payments.payInvoice(...invoice);
  });
  const retried = { subscriptionId: subscription.id, key: randomUUID() };
  const { status, message } = await app.call("retryPayment { status message }", retried, await finance());
  expect([status, message]).toEqual(["DONE", null]);
});

test("keeps the date of a licence that staff extend while a slow request cancels its subscription", async () => {
  const { subscription, licence } = await createSubscriber(app);
  const expiresAt = new Date(licence.expiresAt.getTime() + 90 * DAY);
  vi.spyOn(payments, "cancelNow").mockImplementationOnce(async () => {
    await finishAfter("1 hour", subscription.id);
    await pool.query("update licences set expires_at = $2 where id = $1", [licence.id, expiresAt]);
  });
  const { data } = await run(subscription.id, "CANCEL_NOW", await finance());
  expect(data.runSubscriptionAction.status).toBe("DONE");
  expect((await app.services.orm.em.fork().findOneOrFail(Licence, licence.id)).expiresAt).toEqual(expiresAt);
});
