import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { buildRefund, createPaidInvoice, loadRefunded, refundMutation } from "#tests/factories/refund.ts";
import { createSubscriber, listProviderInvoices, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 5;
const PRESSES = 20;
const TOTAL = 16_495;

interface Answer {
  readonly data: { refundInvoice: { id: string } } | null;
  readonly errors?: { extensions: { code: string } }[];
}

/** Sends refunds concurrently, alternately to two processes and by two admins. */
async function press(buildInput: (press: number) => object): Promise<Answer[]> {
  const tokens = await Promise.all([0, 1].map(async () => signInAs(app, await createAdmin(app))));
  const answers = await Promise.all(
    Array.from({ length: PRESSES }, (_, n) => {
      const variables = { input: buildInput(n) };
      return call("POST", "/graphql", { query: refundMutation, variables }, tokens[Math.trunc(n / 2) % 2]);
    }),
  );
  return answers.map(({ json }) => json as Answer);
}

async function expectOneRefund(userId: string, amountCents: number): Promise<void> {
  const [invoice] = await listProviderInvoices(app, userId);
  expect(invoice?.refunds.map((refund) => refund.amountCents)).toEqual([amountCents]);
  const { rows } = await app.services.pool.query("select status from refunds where user_id = $1", [userId]);
  expect(rows).toEqual([{ status: "DONE" }]);
  expect((await loadRefunded(app, userId)).notes.map((note) => note.total_cents)).toEqual([-amountCents]);
}

test("refunds once when two admins press Refund 20 times with one key each", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, invoiceId } = await createPaidInvoice(app);
    const keys = [randomUUID(), randomUUID()];
    const terms = { amountCents: 5_000, remainingCents: TOTAL };
    const answers = await press((n) => buildRefund(invoiceId, { ...terms, key: keys[Math.trunc(n / 2) % 2] }));
    const accepted = answers.flatMap(({ data }) => data?.refundInvoice?.id ?? []);
    expect(new Set(accepted).size).toBe(1);
    const codes = answers.flatMap(({ errors }) => errors?.[0]?.extensions.code ?? []);
    expect(codes.every((code) => code === "CONFLICT")).toBe(true);
    await expectOneRefund(user.id, 5_000);
  }
}, 120_000);

test("refunds an invoice in full once for 20 requests with different keys", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, invoiceId } = await createPaidInvoice(app);
    const answers = await press(() => buildRefund(invoiceId));
    expect(answers.filter(({ data }) => data?.refundInvoice)).toHaveLength(1);
    await expectOneRefund(user.id, TOTAL);
  }
}, 120_000);

test("never refunds more than was paid for 20 partial refunds", async () => {
  const { user, invoiceId } = await createPaidInvoice(app);
  const answers = await press(() => buildRefund(invoiceId, { amountCents: 3_000 }));
  expect(answers.filter(({ data }) => data?.refundInvoice).length).toBe(5);
  const [invoice] = await listProviderInvoices(app, user.id);
  expect(invoice?.refunds.reduce((all, refund) => all + refund.amountCents, 0)).toBe(15_000);
}, 60_000);

test("extends a licence once when two admins press Extend Licence 20 times", async () => {
  const { user, subscription, licence } = await createSubscriber(app);
  const tokens = await Promise.all([0, 1].map(async () => signInAs(app, await createAdmin(app))));
  const keys = [randomUUID(), randomUUID()];
  const query = "mutation ($input: SubscriptionActionInput!) { runSubscriptionAction(input: $input) { id status } }";
  await Promise.all(
    Array.from({ length: PRESSES }, (_, n) => {
      const admin = Math.trunc(n / 2) % 2;
      const terms = { days: 7, licenceExpiresAt: licence.expiresAt.toISOString(), reason: "Card in the post" };
      const input = { subscriptionId: subscription.id, kind: "EXTEND_LICENCE", key: keys[admin], ...terms };
      return call("POST", "/graphql", { query, variables: { input } }, tokens[admin]);
    }),
  );
  const movedMs = (await loadSubscription(app, user.id)).licence.expiresAt.getTime() - licence.expiresAt.getTime();
  expect(movedMs / 86_400_000).toBe(7);
}, 60_000);
