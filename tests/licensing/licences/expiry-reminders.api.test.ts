import { afterEach, expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { sendExpiryReminders } from "#api/licensing/licences/announce-expiries.ts";
import { emailTrialEnds } from "#api/licensing/trials/email-trial-ends.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createLicence, createSubscription, createTrialLicence } from "#tests/factories/licence.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createCorporateUser, createUser } from "#tests/factories/user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();

afterEach(() => app.clock.setOffset(0));

const sweep = () => runSweep(app.services, sendExpiryReminders);
const subjects = async (user: User) => (await listEmailsTo(app, user.email)).map(({ subject }) => subject).toReversed();

/** Creates a one-year licence that expires in the given number of days. */
const endsIn = (user: User, days: number, changes: Partial<Licence> = {}) =>
  createLicence(app, user, {
    createdAt: addMilliseconds(app.clock.now(), -300 * DAY),
    expiresAt: addMilliseconds(app.clock.now(), days * DAY),
    ...changes,
  });

test("expiry reminders are sent 30, 7 and 1 days before expiry, each once", async () => {
  const user = await createUser(app);
  const { supportCode } = await endsIn(user, 40);
  for (const day of [0, 9, 10, 11, 20, 32, 33, 34, 38, 39, 40, 41]) {
    app.clock.setOffset(day * DAY + HOUR);
    await sweep();
    await sweep();
  }
  expect(await subjects(user)).toEqual([
    `Your Planvarro licence ends in 30 days (${supportCode})`,
    `Your Planvarro licence ends in 7 days (${supportCode})`,
    `Your Planvarro licence ends within a day (${supportCode})`,
  ]);
});

test("expiry reminders are sent once even if two processes run at the same time", async () => {
  const user = await createUser(app);
  await endsIn(user, 29.5);
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await subjects(user)).toHaveLength(1);
});

test.each([
  ["expiry reminders", sendExpiryReminders, createLicence],
  ["emails about the end of a trial", emailTrialEnds, createTrialLicence],
])("%s aren't sent to an account that is closed at the same moment", async (_what, due, create) => {
  const user = await createUser(app);
  const now = app.clock.now();
  await create(app, user, { createdAt: addMilliseconds(now, -300 * DAY), expiresAt: addMilliseconds(now, 0.9 * DAY) });
  const { running } = await inTransaction(app.context(), async (em) => {
    const owner = await lockRow(em, User, user.id);
    const running = runSweep(app.services, due);
    await waitForLock(app);
    owner.archivedAt = app.clock.now();
    return { running };
  });
  await running;
  expect(await subjects(user)).toEqual([]);
});

test("expiry reminders are sent although an earlier one fails", async () => {
  const [failing, user] = [await createUser(app, { email: "no address" }), await createUser(app)];
  await endsIn(failing, 6.4);
  await endsIn(user, 6.5);
  await sweep();
  expect(await subjects(user)).toHaveLength(1);
});

test("expiry reminders are sent again after the expiry date changes", async () => {
  const user = await createUser(app);
  const licence = await endsIn(user, 6.5);
  await sweep();
  await app.services.pool.query("update licences set expires_at = $2 where id = $1", [
    licence.id,
    addMilliseconds(app.clock.now(), 29.5 * DAY),
  ]);
  await sweep();
  expect(await subjects(user)).toHaveLength(2);
});

test("expiry reminders state the number of days actually left after a weekend without email, and are not sent a week late", async () => {
  const [late, tooLate] = [await createUser(app), await createUser(app)];
  const { supportCode } = await endsIn(late, 28);
  await endsIn(tooLate, 25);
  await sweep();
  const subject = `Your Planvarro licence ends in 28 days (${supportCode})`;
  expect([await subjects(late), await subjects(tooLate)]).toEqual([[subject], []]);
});

test("expiry reminders link customers to their subscription, and corporate customers to the contact page", async () => {
  const [regular, corporate] = [await createUser(app), await createCorporateUser(app)];
  const licence = await endsIn(regular, 6.5);
  await endsIn(corporate, 6.5, { productLevel: 16 });
  await sweep();
  const [own] = await listEmailsTo(app, regular.email);
  for (const one of ["/manage-subscription/", licence.supportCode]) expect(own?.text).toContain(one);
  const [theirs] = await listEmailsTo(app, corporate.email);
  expect(theirs?.text).not.toContain("/manage-subscription/");
  expect(theirs?.text).toContain("Corporate Dark Concurrent");
});

test("expiry reminders name the open invoice that extends the licence instead of asking the customer to contact us", async () => {
  const user = await createCorporateUser(app);
  const licence = await endsIn(user, 6.5, { productLevel: 14 });
  const until = addDays(getCalendarDay(app.clock.now()), 100);
  const terms = { licenceId: licence.id, productLevel: 14, numberOfUsers: 1, numberOfMachines: 1, until };
  const { taxInvoice } = await createOpenInvoice(app, user, { licence: terms });
  await sweep();
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("licence ends"));
  expect(email?.text).toContain(`pay invoice ${taxInvoice?.number} before then`);
  expect(email?.text).not.toContain("To continue without interruption, email");
});

test("reminders are not sent for licences that can't be used, end soon by design or renew", async () => {
  const now = app.clock.now();
  const licences: Record<string, Partial<Licence>> = {
    "a trial": { productLevel: 3 },
    "an old trial level": { productLevel: 13 },
    "a revoked licence": { revokedAt: now },
    "a suspended licence": { suspendedAt: now },
    "a licence that was shorter from the start": { createdAt: now },
    "an expired licence": { expiresAt: addMilliseconds(now, -HOUR) },
  };
  const users: [string, User][] = [
    ["an archived account", await createUser(app, { archivedAt: now })],
    ["an unconfirmed address", await createUser(app, { emailConfirmedAt: null })],
  ];
  for (const [, user] of users) await endsIn(user, 6.5);
  for (const [kind, changes] of Object.entries(licences)) {
    const user = await createUser(app);
    await endsIn(user, 6.5, changes);
    users.push([kind, user]);
  }
  for (const status of ["active", "past_due"] as const) {
    const user = await createUser(app);
    await createSubscription(app, await endsIn(user, 6.5), { status });
    users.push([`a subscription with status ${status}`, user]);
  }
  await sweep();
  for (const [kind, user] of users) expect([kind, await subjects(user)]).toEqual([kind, []]);
});

test("reminders are sent when a subscription ends with the licence, or has ended and the licence was extended", async () => {
  for (const [subscription, advice] of [
    [{ isCancelledAtPeriodEnd: true }, "resume your subscription."],
    [{ status: "cancelled" }, "choose a subscription in your account before then."],
  ] as const) {
    const user = await createUser(app);
    await createSubscription(app, await endsIn(user, 6.5), subscription);
    await sweep();
    const emails = await listEmailsTo(app, user.email);
    expect(emails.map(({ text }) => text)).toEqual([expect.stringContaining(advice)]);
  }
});

test("reminders offer no subscription to a customer who subscribes with another licence", async () => {
  const user = await createUser(app);
  await createSubscription(app, await createLicence(app, user));
  const { supportCode } = await endsIn(user, 6.5);
  await sweep();
  const [email] = await listEmailsTo(app, user.email);
  expect(email?.subject).toBe(`Your Planvarro licence ends in 7 days (${supportCode})`);
  expect(email?.text).not.toContain("/manage-subscription/");
});

test("emails the ends of other trials after one that fails", async () => {
  const createTrial = async (days: number, changes: Partial<User> = {}) => {
    const user = await createUser(app, changes);
    await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), days * DAY) });
    return user;
  };
  await createTrial(1, { email: "no ending address" });
  await createTrial(-2, { email: "no ended address" });
  const [ending, ended] = [await createTrial(2), await createTrial(-1)];
  await runSweep(app.services, emailTrialEnds);
  for (const user of [ending, ended]) expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

test("emails about the end of a trial offer a subscription only to customers who can subscribe", async () => {
  for (const days of [2, -1]) {
    const [regular, corporate] = [await createUser(app), await createCorporateUser(app)];
    for (const user of [regular, corporate])
      await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), days * DAY) });
    await runSweep(app.services, emailTrialEnds);
    const read = async ({ email }: User) => (await listEmailsTo(app, email))[0]?.text;
    expect(await read(regular)).toContain("choose a subscription");
    expect(await read(corporate)).toMatch(/To (continue without interruption|keep converting files), email/);
  }
});

test("emails nothing about a trial to an address that was never confirmed", async () => {
  const user = await createUser(app, { emailConfirmedAt: null });
  await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), 2 * DAY) });
  await runSweep(app.services, emailTrialEnds);
  expect(await subjects(user)).toEqual([]);
});

test("emails the end of a trial of a legacy level, like that of any other trial", async () => {
  const user = await createUser(app);
  await createTrialLicence(app, user, { productLevel: 13, expiresAt: addMilliseconds(app.clock.now(), 2 * DAY) });
  await sweep();
  await runSweep(app.services, emailTrialEnds);
  expect(await subjects(user)).toEqual(["Your Planvarro trial ends soon"]);
});

test("doesn't ask corporate customers, who can't subscribe online, to subscribe after a trial", async () => {
  const user = await createCorporateUser(app);
  await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), 2 * DAY) });
  await runSweep(app.services, emailTrialEnds);
  app.clock.setOffset(3 * DAY);
  await runSweep(app.services, emailTrialEnds);
  const emails = await listEmailsTo(app, user.email);
  expect(emails).toHaveLength(2);
  for (const { text, html } of emails) expect(text + html).not.toMatch(/choose a subscription|Subscribe to keep/);
});
