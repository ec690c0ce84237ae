import { afterEach, describe, expect, test } from "vitest";
import { retryPendingCancellations } from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import { syncCustomer } from "#api/selling/subscriptions/sync-customer.ts";
import { type Context, createContext } from "#api/platform/context.ts";
import {
  advanceTime,
  createSubscriber,
  getCustomerId,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { setUpClosedAccounts } from "./closed-accounts.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { simulator } = app;
const {
  asAdmin,
  archive,
  restore,
  pendingSince,
  atProvider,
  subjects,
  documents,
  audited,
  refuseCancellations,
  chargeAtProvider,
  chargedAfterArchiving,
  getRefunds,
} = await setUpClosedAccounts(app);

describe("charge made after archiving", () => {
  test("is refunded once, with an adjustment note, an audit entry and a line in the timeline", async () => {
    const { user } = await chargedAfterArchiving();
    expect(await pendingSince(user.id)).not.toBeNull();
    simulator.faults.clear();
    await advanceTime(app, 0.01);
    await advanceTime(app, 1);
    expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect(await pendingSince(user.id)).toBeNull();

    const written = await documents(user.id);
    expect(written.map(({ kind, cents }) => [kind, cents])).toEqual([
      ["invoice", 16_495],
      ["invoice", 16_495],
      ["adjustment", -16_495],
    ]);
    expect(written.at(-1)?.description).toMatch(/^Refund of tax invoice \d+, charged after the account was closed$/);
    const emails = await subjects(user.email);
    expect(emails.filter((subject) => /adjustment note/i.test(subject))).toHaveLength(1);
    expect(emails.filter((subject) => /renewed/i.test(subject))).toEqual([]);
    expect(await audited(user.id, "refund-late-charge")).toEqual([
      {
        actor_name: "System",
        after: { taxInvoice: expect.any(String), adjustmentNote: expect.any(String), refunded: "A$164.95" },
      },
    ]);
    const { data } = await app.graphql(
      "query ($id: ID!) { user(id: $id) { timeline(first: 50) { rows { title } } } }",
      { id: user.id },
      await asAdmin(),
    );
    expect(data.user.timeline.rows.map(({ title }: { title: string }) => title)).toContain(
      "Refunded a charge made after the account was closed",
    );
  });

  test("is refunded once when a webhook, the job and the sweep process it concurrently in two processes", async () => {
    const { user } = await chargedAfterArchiving();
    const other = await openSecondProcess(app);
    const customerId = await getCustomerId(app, user.id);
    const contexts: Context[] = [app.context(), createContext(other), app.context(), createContext(other)];
    simulator.faults.clear();
    await Promise.allSettled([
      ...contexts.map((context) => syncCustomer(context, customerId)),
      ...contexts.map((context) => retryPendingCancellations.run(context)),
      app.services.jobs.drain({ delayed: true }),
      other.jobs.drain({ delayed: true }),
    ]);
    // The provider rejects concurrent requests with the same key, so they are retried.
    await advanceTime(app, 0.01);
    expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
    expect((await documents(user.id)).filter(({ kind }) => kind === "adjustment")).toHaveLength(1);
    expect(await audited(user.id, "refund-late-charge")).toHaveLength(1);
  });

  test("is refunded after the provider failed between the cancellation and the refund", async () => {
    const { user } = await chargedAfterArchiving();
    simulator.faults.clear();
    simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", times: 1_000 });
    await retryPendingCancellations.run(app.context());
    expect(await getRefunds(user.id)).toEqual([[], []]);
    expect(await pendingSince(user.id)).not.toBeNull();
    simulator.faults.clear();
    await retryPendingCancellations.run(app.context());
    expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
    expect(await pendingSince(user.id)).toBeNull();
  });

  test("is not refunded if the account is restored before the next sync", async () => {
    const { user } = await chargedAfterArchiving();
    expect((await restore(user.id)).data.restoreUser).toEqual({ isActive: true, cancellationPendingSince: null });
    simulator.faults.clear();
    await advanceTime(app, 0.01);
    expect(await getRefunds(user.id)).toEqual([[], []]);
  });

  test("is refunded if the first payment was in progress when the account was archived", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
    simulator.webhooks.setBehaviour({ drop: true });
    expect((await postSubscription(app, token)).status).toBe(503);
    await archive(user.id);
    simulator.faults.clear();
    await advanceTime(app, 0.01);
    expect(await getRefunds(user.id)).toEqual([[16_495]]);
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
  });

  test("keeps charges made before archiving", async () => {
    const { user } = await createSubscriber(app);
    await advanceTime(app, 5);
    await archive(user.id);
    await advanceTime(app, 40);
    expect(await getRefunds(user.id)).toEqual([[]]);
  });
});

describe("deleting an account", () => {
  const deleteAccount = (token: string) =>
    app.graphql(
      "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) }",
      { input: { password: testPassword } },
      token,
    );

  test("ends the subscription at the provider before responding", async () => {
    const { user, token } = await createSubscriber(app);
    expect((await deleteAccount(token)).data).toEqual({ deleteMyAccount: true });
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect(await pendingSince(user.id)).toBeNull();
  });

  test("refunds charges made while the provider rejected the cancellation", async () => {
    const { user, token } = await createSubscriber(app);
    refuseCancellations();
    await deleteAccount(token);
    expect(await pendingSince(user.id)).not.toBeNull();
    await chargeAtProvider();
    simulator.faults.clear();
    await advanceTime(app, 0.01);
    expect(await getRefunds(user.id)).toEqual([[], [16_495]]);
    expect(await subjects(user.email)).toEqual([expect.stringMatching(/account was deleted/)]);
  });
});
