import { randomUUID } from "node:crypto";
import { DAY } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { advanceTime, cardFields, createSubscriber } from "./subscription.ts";

/** Creates the calls with which staff act on a subscription. */
export const openSubscriptionActions = (app: TestApp) => ({
  run: (subscriptionId: string, kind: string, token: string, changes: Record<string, unknown> = {}) => {
    const input = { subscriptionId, kind, reason: "The customer phoned us", key: randomUUID(), ...changes };
    return app.graphql("runSubscriptionAction { id kind status message }", { input }, token);
  },

  /** Returns what an action would do, or the message of its error. */
  preview: async (id: string, kind: string, token: string, given: { days?: number; pauseUntil?: string } = {}) => {
    const fields = "amountCents cardLast4 licenceExpiresAt licenceUntil pauseUntil renewsAt endsAt";
    const variables = { subscriptionId: id, kind, ...given };
    const { data, errors } = await app.graphql(`subscriptionActionPreview { ${fields} }`, variables, token);
    return data?.subscriptionActionPreview ?? errors?.[0]?.message;
  },

  /** Creates a customer whose first renewal failed. */
  createPastDue: async () => {
    const made = await createSubscriber(app, cardFields("failsLater"));
    const paidUntil = made.subscription.currentPeriodEndsAt.getTime();
    await advanceTime(app, (paidUntil - app.clock.now().getTime()) / DAY + 0.5);
    return made;
  },

  /** Replaces the card at the provider, as the customer would, without paying what is overdue. */
  giveGoodCard: async (userId: string): Promise<void> => {
    const sql = `select c.provider_customer_id as customer, s.provider_subscription_id as subscription
         from payment_customers c join subscriptions s on s.user_id = c.user_id where c.user_id = $1`;
    const { rows } = await app.services.pool.query(sql, [userId]);
    const { payments } = app.services;
    const { customer: customerId, subscription } = rows[0];
    const setup = await payments.setUpCard({ customerId, paymentMethodId: "pm_card_visa", key: randomUUID() });
    const paymentMethodId = setup.paymentMethodId ?? "";
    await payments.setDefaultCard({ customerId, paymentMethodId, subscriptionIds: [subscription] });
  },
});
