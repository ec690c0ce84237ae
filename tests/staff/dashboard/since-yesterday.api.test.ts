import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordEntries } from "#api/billing/journal/record-entries.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { SubscriptionAction } from "#api/billing/subscriptions/subscription-action.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import { formatDay } from "#schema/dates.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("counts from the start of yesterday in the vendor's time zone", async () => {
  const firstDay = addDays(getCalendarDay(app.clock.now()), -1);
  const start = getStartOfDay(firstDay);
  const [before, after] = [addMilliseconds(start, -HOUR), addMilliseconds(start, HOUR)];
  const user = await createUser(app, { registeredAt: before });
  const { email } = await createUser(app, { registeredAt: after });
  // A registration with an address that has an account.
  await createUser(app, { registeredAt: after, email, signInEmail: null, emailConfirmedAt: null });
  const admin = await signInAs(app, await createAdmin(app, { registeredAt: after }));
  const em = app.services.orm.em.fork();
  const { id } = await createSubscription(app, await createLicence(app, user), { isCancelledAtPeriodEnd: true });
  const subscription = em.getReference(Subscription, id);
  const charge = { user: em.getReference("User" as never, user.id as never), subscription, amountCents: 16_495 };
  for (const [at, event, debit] of [
    [before, "Card payment", "card"],
    [after, "Card payment", "card"],
    [after, "Payment", "bank"],
    [after, "Refund", "card"],
  ] as const)
    recordEntries(em, {
      at,
      event,
      user: charge.user as never,
      sourceId: randomUUID(),
      document: null,
      invoice: null,
      entries: [[debit, "receivable", event === "Refund" ? -16_495 : 16_495]],
    });
  for (const [n, at, number, reason] of [
    [2, after, 1, null],
    [3, after, 1, "Insufficient funds"],
    [4, after, 2, "Insufficient funds"],
    [5, before, 1, "Insufficient funds"],
  ] as const)
    em.create(PaymentAttempt, {
      ...charge,
      number,
      providerChargeId: `ch_${n}`,
      providerInvoiceId: `in_${n}`,
      at,
      reason,
    } as never);
  // A cancellation by staff for the customer.
  em.create(SubscriptionAction, {
    key: randomUUID(),
    kind: "CANCEL_AT_PERIOD_END",
    subscription,
    status: "DONE",
    requestedBy: charge.user,
    createdAt: after,
    finishedAt: after,
  } as never);
  await em.flush();
  const counts = { newCustomers: 1, payments: 2, cancellations: 1, failedPayments: 1, builds: 0 };
  expect(await app.call("sinceYesterday", {}, admin)).toEqual({ firstDay, ...counts });
  // The lists that the admin home links to.
  const today = addDays(firstDay, 1);
  for (const [figure, total] of [
    ["COLLECTED", counts.payments],
    ["FAILED", counts.failedPayments],
  ] as const) {
    const variables = { figure, startDate: firstDay, endDate: today };
    expect(await app.call("moneyEntries { total }", variables, admin)).toEqual({ total });
  }
  const leaving = { list: "SUBSCRIPTIONS_LEAVING", days: 30 };
  const { rows } = await app.call("dashboardList { rows { what } }", leaving, admin);
  expect(rows).toEqual([{ what: expect.stringMatching(`, cancelled on ${formatDay(firstDay)}$`) }]);
});
