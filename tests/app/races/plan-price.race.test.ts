import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listProviderInvoices } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 4;
const CUSTOMERS = 8;
const priceId = "xer-professional-monthly";

/** AUD prices that staff alternate between, with the totals including GST. */
const prices = [
  { audCents: 14_995, total: 16_495 },
  { audCents: 15_995, total: 17_595 },
] as const;

const mutation = `mutation ($input: SubscribeInput!) { subscribe(input: $input) { state } }`;

test("charges the quoted price or reports the new one while staff change it, across two processes", async () => {
  const staff = await signInAs(app, await createAdmin(app));
  const setPrice = (audCents: number) =>
    call("POST", "/v1/plans/price", { priceId, audCents, usdCents: 9_995, reason: "Race", key: randomUUID() }, staff);
  for (let round = 0; round < ROUNDS; round++) {
    const [before, after] = round % 2 === 0 ? prices : ([prices[1], prices[0]] as const);
    expect((await setPrice(before.audCents)).status).toBe(200);
    const customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, async () => {
        const user = await createUser(app);
        return { user, token: await signInAs(app, user), card: await createCard() };
      }),
    );
    const subscribing = customers.map(({ token, card }) =>
      call(
        "POST",
        "/graphql",
        {
          query: mutation,
          variables: {
            input: {
              planPriceId: priceId,
              paymentMethodId: card,
              idempotencyKey: randomUUID(),
              expectedTotalCents: before.total,
              acknowledgedNotice: true,
            },
          },
        },
        token,
      ),
    );
    const [changed, ...answers] = await Promise.all([setPrice(after.audCents), ...subscribing]);
    expect(changed.status).toBe(200);
    for (const [index, { user }] of customers.entries()) {
      const { data, errors } = answers[index]?.json ?? {};
      if (data?.subscribe) {
        const invoices = await listProviderInvoices(app, user.id);
        expect(invoices.map(({ totalCents }) => totalCents)).toEqual([before.total]);
      } else {
        expect(errors[0].extensions.code).toBe("CONFLICT");
        expect(errors[0].message).toContain("The price has changed since it was shown to you.");
      }
    }
  }
}, 120_000);

test("sets the price once for 10 concurrent requests with the same key", async () => {
  const staff = await signInAs(app, await createAdmin(app));
  const body = { priceId, audCents: 16_995, usdCents: 9_995, reason: "Race", key: randomUUID() };
  const answers = await Promise.all(Array.from({ length: 10 }, () => call("POST", "/v1/plans/price", body, staff)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
});

function createCard(): Promise<string> {
  return app.services.payments.createCard({
    number: "4242424242424242",
    expiryMonth: 12,
    expiryYear: 2039,
    cvc: "123",
  });
}
