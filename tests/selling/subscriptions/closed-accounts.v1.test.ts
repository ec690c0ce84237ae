import { afterEach, describe, expect, test } from "vitest";
import { retryPendingCancellations } from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { setUpClosedAccounts } from "./closed-accounts.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { simulator } = app;
const { asAdmin, archive, restore, pendingSince, pendingList, atProvider, subjects } = await setUpClosedAccounts(app);

describe("archiving a subscriber", () => {
  test("cancels the subscription at the provider before responding", async () => {
    const { user } = await createSubscriber(app);
    const { data } = await archive(user.id);
    expect(data.archiveUser).toEqual({ isActive: false, cancellationPendingSince: null });
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
    expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(true);
  });

  test("emails the customer that the account was closed, not that they cancelled", async () => {
    const { user } = await createSubscriber(app);
    await archive(user.id);
    await advanceTime(app, 32);
    const emails = await listEmailsTo(app, user.email);
    expect(emails.filter(({ subject }) => /account was closed/.test(subject))).toHaveLength(1);
    expect(
      emails.filter(({ subject, text }) => /is cancelled|has ended/.test(subject) || /You cancelled/.test(text)),
    ).toEqual([]);
  });

  test("sends no billing email to a user who never subscribed", async () => {
    const user = await createUser(app);
    await archive(user.id);
    await app.services.jobs.drain();
    expect(await subjects(user.email)).toEqual([]);
  });

  test.each(["error", "hang", "close"] as const)(
    "reports a pending cancellation if the provider is unreachable (%s), shows it to staff and retries it",
    async (kind) => {
      const { user } = await createSubscriber(app);
      simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind, times: 1_000 });
      const { data } = await archive(user.id);
      expect(data.archiveUser).toEqual({ isActive: false, cancellationPendingSince: expect.stringMatching(/Z$/) });
      expect(await pendingSince(user.id)).toBe(data.archiveUser.cancellationPendingSince);
      expect(await pendingList()).toMatchObject({
        total: 1,
        rows: [
          {
            what: "Account closed, but the Professional subscription isn't cancelled or refunded yet",
            user: { id: user.id },
          },
        ],
      });
      simulator.faults.clear();
      await retryPendingCancellations.run(app.context());
      expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
      expect(await pendingSince(user.id)).toBeNull();
      expect((await pendingList()).total).toBe(0);
    },
  );

  test("stays pending if the provider's response is lost, and completes without cancelling twice", async () => {
    const { user } = await createSubscriber(app);
    simulator.faults.add({ method: "POST", path: "/v1/subscriptions/:id", kind: "close", moment: "after", times: 2 });
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).not.toBeNull();
    simulator.faults.clear();
    await app.services.jobs.drain({ delayed: true });
    expect(await pendingSince(user.id)).toBeNull();
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(true);
    expect((await subjects(user.email)).filter((subject) => /account was closed/.test(subject))).toHaveLength(1);
  });

  test("retries a pending cancellation when staff archive the user again", async () => {
    const { user } = await createSubscriber(app);
    simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
    await archive(user.id);
    simulator.faults.clear();
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).toBeNull();
  });

  test("returns 202 with a message over REST while the cancellation is pending, otherwise 200", async () => {
    const [away, reached] = [await createSubscriber(app), await createSubscriber(app)];
    simulator.faults.add({ method: "GET", path: "/v1/subscriptions", kind: "error", times: 2 });
    const pending = await app.rest("PATCH", `/v1/users/${away.user.id}/archive`, { token: await asAdmin() });
    expect(pending.status).toBe(202);
    expect(pending.json).toMatch(/has not confirmed the cancellation of the subscription yet/);
    simulator.faults.clear();
    const done = await app.rest("PATCH", `/v1/users/${reached.user.id}/archive`, { token: await asAdmin() });
    expect([done.status, done.json]).toEqual([200, true]);
    await retryPendingCancellations.run(app.context());
  });

  test("ends a past-due subscription and voids its open invoice", async () => {
    const { user } = await createSubscriber(app, cardFields("failsLater"));
    await advanceTime(app, 31.5);
    expect((await loadSubscription(app, user.id)).subscription.status).toBe("past_due");
    expect((await archive(user.id)).data.archiveUser.cancellationPendingSince).toBeNull();
    expect(await atProvider(user.id)).toMatchObject({ status: "ended" });
    expect((await listProviderInvoices(app, user.id)).at(-1)?.status).toBe("void");
  });
});

describe("restored account", () => {
  test("can resume the subscription that archiving cancelled", async () => {
    const { user } = await createSubscriber(app);
    await archive(user.id);
    await restore(user.id);
    const token = await signInAs(app, user);
    const resumed = await app.rest("PATCH", "/v1/subscriptions/resume-subscription", { token });
    expect(resumed.json).toBe(true);
    expect((await atProvider(user.id))?.isCancelledAtPeriodEnd).toBe(false);
  });
});
