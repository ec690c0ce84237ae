import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { DAY } from "#api/platform/clock.ts";
import { advanceTime, cardFields, createSubscriber, getCustomerId } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const FIELDS =
  "at number amountCents refundedCents status reason nextRetryAt cardBrand cardLast4 taxInvoice { number }";

async function listOwn(user: Parameters<typeof signInAs>[1]) {
  const { data } = await app.graphql(`{ paymentAttempts { ${FIELDS} } }`, {}, await signInAs(app, user));
  return data.paymentAttempts;
}

test("stores each attempt once, with the bank's reason and the next retry, the same for the customer and staff", async () => {
  const { user } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 32);
  const attempts = await listOwn(user);
  expect(attempts).toMatchObject([
    {
      number: 1,
      amountCents: 16_495,
      status: "FAILED",
      reason: "Declined by the bank without a reason",
      cardBrand: "visa",
      cardLast4: "0341",
      taxInvoice: null,
    },
    { number: 1, amountCents: 16_495, status: "PAID", reason: null, nextRetryAt: null },
  ]);
  const [failed, first] = attempts;
  expect(Date.parse(failed.nextRetryAt) - Date.parse(failed.at)).toBe(3 * DAY);
  expect(first.taxInvoice.number).toMatch(/^\d+$/);

  const { data } = await app.graphql(
    `query ($id: ID!) {
      user(id: $id) { paymentAttempts { ${FIELDS} } }
      userSummary(id: $id) { pastDueCents pastDueReason nextRetryAt }
      attentionList(list: FAILED_RENEWALS) { rows { amountCents reason nextRetryAt user { id } } }
    }`,
    { id: user.id },
    await signInAs(app, await createAdmin(app)),
  );
  expect(data.user.paymentAttempts).toEqual(attempts);
  const { reason, nextRetryAt } = failed;
  expect(data.userSummary).toEqual({ pastDueCents: 16_495, pastDueReason: reason, nextRetryAt });
  expect(data.attentionList.rows).toContainEqual({
    amountCents: 16_495,
    reason,
    nextRetryAt,
    user: { id: user.id },
  });

  await advanceTime(app, 3);
  const retried = await listOwn(user);
  expect(retried.map(({ number, status }: never) => [number, status])).toEqual([
    [2, "FAILED"],
    [1, "FAILED"],
    [1, "PAID"],
  ]);
  const isRetried = ({ nextRetryAt: at }: { nextRetryAt: string | null }) => at !== null;
  expect(retried.map(isRetried)).toEqual([true, false, false]);
  const select = "select xmin, p.* from payment_attempts p where user_id = $1 order by at";
  const load = async () => (await app.services.pool.query(select, [user.id])).rows;
  const before = await load();
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  expect(await load()).toEqual(before);

  const { data: history } = await app.graphql(
    "query ($id: ID!) { user(id: $id) { timeline(kinds: [PAYMENT]) { rows { title subject detail tone } } } }",
    { id: user.id },
    await signInAs(app, await createAdmin(app)),
  );
  const [second, row] = history.user.timeline.rows;
  const detail = `${reason}. Card ending 0341`;
  expect(row).toEqual({ title: "Payment failed", subject: "A$164.95", detail, tone: "REFUSED" });
  expect(second.title).toBe("Payment retried and failed");
  expect(second.detail).toMatch(new RegExp(`^${detail}\\. Next retry \\d+ \\w+ \\d{4}$`));
});

test("stores a declined first payment, which starts no subscription", async () => {
  const user = await createUser(app);
  const { data } = await app.graphql(
    "mutation ($input: SubscribeInput!) { subscribe(input: $input) { state } }",
    {
      input: {
        planPriceId: "xer-professional-monthly",
        paymentMethodId: "pm_card_chargeCustomerFail",
        idempotencyKey: randomUUID(),
        expectedTotalCents: 16_495,
        acknowledgedNotice: true,
      },
    },
    await signInAs(app, user),
  );
  expect(data.subscribe.state).toBe("DECLINED");
  expect(await listOwn(user)).toMatchObject([{ status: "FAILED", amountCents: 16_495, nextRetryAt: null }]);
});
