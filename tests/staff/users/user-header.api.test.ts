import { expect, test } from "vitest";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { createDevice, createLicence, createSubscription, createTrialLicence } from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";

const app = await startTestApp({ rateLimits: true });
const admin = await signInAs(app, await createAdmin(app));
const send = (name: "sendPasswordReset" | "resendUserConfirmation", userId: string): Promise<string> =>
  app.call(`${name} { id }`, { userId }, admin).then(
    ({ id }) => id,
    ({ code }) => code,
  );
const listActions = async (subjectId: string) =>
  (await listAuditEntries(app, subjectId)).map(({ action, after }) => [action, after]);

test("emails a link that works, records who sent it, and is limited to five a day for an address", async () => {
  const user = await createUser(app);
  expect(await send("sendPasswordReset", user.id)).toBe(user.id);
  const resetToken = await findEmailedSecret(app, user.email);
  expect(await app.call("isResetTokenValid", { input: { resetToken } })).toBe(true);
  expect(await listActions(user.id)).toEqual([["send-password-reset", { sentTo: user.email }]]);
  for (let n = 0; n < 4; n++) expect(await send("sendPasswordReset", user.id)).toBe(user.id);
  expect(await send("sendPasswordReset", user.id)).toBe("RATE_LIMITED");
  expect(await listEmailsTo(app, user.email)).toHaveLength(5);
  expect(await listActions(user.id)).toHaveLength(5);
});

test("sends nothing to archived users, or to a registration with another account's address", async () => {
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  expect(await send("sendPasswordReset", archived.id)).toBe("CONFLICT");
  const owner = await createUser(app);
  const user = await createUser(app, { email: owner.email, signInEmail: null, emailConfirmedAt: null });
  expect(await send("sendPasswordReset", user.id)).toBe("NOT_FOUND");
  for (const { email } of [archived, owner]) expect(await listEmailsTo(app, email)).toEqual([]);
});

test("resends the confirmation only to an address that isn't confirmed, such as the new address of a change", async () => {
  const user = await createUser(app, { emailConfirmedAt: null });
  expect(await send("resendUserConfirmation", user.id)).toBe(user.id);
  expect((await listEmailsTo(app, user.email))[0]?.text).toContain("/confirm-email");
  expect(await listActions(user.id)).toEqual([["resend-confirmation", { sentTo: user.email }]]);
  const pendingEmail = `new-${Math.trunc(performance.now() * 1000)}@planning.test`;
  const changing = await createUser(app, { pendingEmail });
  expect(await send("resendUserConfirmation", changing.id)).toBe(changing.id);
  expect(await listEmailsTo(app, changing.email)).toEqual([]);
  expect(await listEmailsTo(app, pendingEmail)).toHaveLength(1);
  expect(await send("resendUserConfirmation", (await createUser(app)).id)).toBe("CONFLICT");
});

const summaryFields =
  "plan planEndsAt pastDueSince pastDueCents lastSignInAt lastDeviceAt signInBlockedUntil addressWarning";
const summarise = (id: string) => app.call(`userSummary { ${summaryFields} }`, { id }, admin);

test("userSummary has only nulls for a new user, and then the latest sign-in and licence check", async () => {
  const user = await createUser(app);
  expect(new Set(Object.values(await summarise(user.id)))).toEqual(new Set([null]));
  await signInAs(app, user);
  const licence = await createLicence(app, user);
  const lastSeenAt = app.clock.now();
  await createDevice(app, licence, { lastSeenAt });
  await createDevice(app, licence, { lastSeenAt: new Date(lastSeenAt.getTime() - 60_000) });
  expect(await summarise(user.id)).toMatchObject({
    lastSignInAt: expect.any(String),
    lastDeviceAt: lastSeenAt.toISOString(),
  });
});

test("userSummary shows the plan, and the amount with GST once a renewal is past due", async () => {
  const { user, subscription } = await createSubscriber(app);
  const update = (set: string) =>
    app.services.pool.query(`update subscriptions set ${set} where id = $1`, [subscription.id]);
  const running = { planEndsAt: null, pastDueSince: null, pastDueCents: null };
  expect(await summarise(user.id)).toMatchObject({ plan: "Professional, monthly", ...running });
  const amounts = "amount_cents = 10000, gst_basis_points = 1000";
  await update(`status = 'past_due', ${amounts}, paid_until = '2026-01-02T00:00:00Z'`);
  expect(await summarise(user.id)).toMatchObject({ pastDueSince: "2026-01-02T00:00:00.000Z", pastDueCents: 11_000 });
  await update("status = 'active', paid_until = null, is_cancelled_at_period_end = true");
  const planEndsAt = subscription.currentPeriodEndsAt.toISOString();
  expect(await summarise(user.id)).toMatchObject({ planEndsAt, pastDueSince: null });
});

test("userSummary warns about an address that mixes scripts or looks like another account's", async () => {
  const real = await createUser(app, { email: "ada.lovelace@modern.example" });
  const warnings = ["аda.lovelace@modern.example", "ada.1ovelace@modern.example", "ada.lovelace@modem.example"];
  for (const email of warnings) {
    const user = await createUser(app, { email });
    expect((await summarise(user.id)).addressWarning).toBe(`Address looks like ${real.email}`);
  }
  for (const [email, warning] of [
    ["grаce.hopper@navy.example", "Address mixes scripts"],
    ["grace@пример.рф", null],
    ["用户grace@例子.公司", null],
  ] as const)
    expect((await summarise((await createUser(app, { email })).id)).addressWarning).toBe(warning);
});

test("userSummary shows until when sign-in is blocked after five wrong passwords, in any case of the address", async () => {
  const user = await createUser(app, { email: "Blocked.User@example.com" });
  const attempt = () =>
    signIn(app.context(), { email: user.email.toUpperCase(), password: "Wrong-pass-1" }, "portal").catch(() => null);
  for (let n = 0; n < 4; n++) await attempt();
  expect((await summarise(user.id)).signInBlockedUntil).toBeNull();
  await attempt();
  expect(Date.parse((await summarise(user.id)).signInBlockedUntil)).toBeGreaterThan(Date.now() - 1_000);
  // A registration with the address of that account has no sign-in that could be blocked.
  const shadow = await createUser(app, { email: user.email, signInEmail: null, emailConfirmedAt: null });
  expect((await summarise(shadow.id)).signInBlockedUntil).toBeNull();
});

const now = app.clock.now();

const readUser = (id: string, fields: string, token = admin) => app.call(`user { ${fields} }`, { id }, token);

test("lists what needs attention about each user, from the lists of the admin home", async () => {
  const [overdue, trialling, calm] = [await createUser(app), await createUser(app), await createUser(app)];
  const unconfirmed = await createUser(app, { emailConfirmedAt: null });
  const licence = await createLicence(app, overdue, { expiresAt: addMilliseconds(now, 2 * DAY) });
  await createSubscription(app, licence, { status: "past_due", paidUntil: addMilliseconds(now, -DAY) });
  const trial = await createTrialLicence(app, trialling, { expiresAt: addMilliseconds(now, 2 * DAY) });
  await createLicence(app, calm, { expiresAt: addMilliseconds(now, 200 * DAY) });
  const read = async ({ id }: User) => (await readUser(id, "attention { list licenceId user { id } }")).attention;
  expect(await read(overdue)).toMatchObject([{ list: "FAILED_RENEWALS" }]);
  expect(await read(trialling)).toEqual([{ list: "TRIALS_ENDING", licenceId: trial.id, user: { id: trialling.id } }]);
  expect(await read(calm)).toEqual([]);
  expect(await read(unconfirmed)).toMatchObject([{ list: "UNCONFIRMED_ACCOUNTS" }]);
});

test("lists the latest emails to a user's own address with their delivery", async () => {
  const user = await createUser(app, { registeredAt: addMilliseconds(now, -DAY) });
  const shadow = await createUser(app, { email: user.email, signInEmail: null });
  const em = app.services.orm.em.fork();
  const sent = { to: user.email.toUpperCase(), text: "", html: "", createdAt: addMilliseconds(now, -HOUR) };
  const write = (subject: string, changes: Partial<Email> = {}) =>
    em.persist(em.create(Email, { ...sent, subject, ...changes } as Email)).flush();
  await write("Before the registration", { createdAt: addMilliseconds(now, -2 * DAY) });
  await write("Delivered", { sentAt: now });
  await write("Refused", { refusedAt: now, lastError: "550 no such user" });
  await write("Waiting");
  expect(await readUser(user.id, "emails { subject state }")).toEqual({
    emails: [
      { subject: "Waiting", state: "WAITING" },
      { subject: "Refused", state: "REFUSED" },
      { subject: "Delivered", state: "SENT" },
    ],
  });
  expect(await readUser(shadow.id, "emails { subject }")).toEqual({ emails: [] });
});

test("counts the active devices of each licence", async () => {
  const user = await createUser(app);
  const [used, unused] = [await createLicence(app, user, { numberOfMachines: 3 }), await createLicence(app, user)];
  await createDevice(app, used);
  await createDevice(app, used);
  await createDevice(app, used, { freedAt: now });
  const { licences } = await readUser(user.id, "licences { id deviceCount }");
  expect(licences).toContainEqual({ id: used.id, deviceCount: 2 });
  expect(licences).toContainEqual({ id: unused.id, deviceCount: 0 });
});

test("shows the IP address of a blocked attempt to support, but not to finance", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const request = { resultCode: 20, machineName: "OLD-LAPTOP", ip: "203.0.113.7" };
  await createLicenceEvent(app, { at: now, licenceId: licence.id, ...request });
  for (const [role, from] of [
    ["support", " from 203.0.113.7"],
    ["finance", ""],
  ] as const) {
    const token = await signInAs(app, await createAdmin(app, { staffRoles: [role] }));
    const { attention } = await readUser(user.id, "attention { list what }", token);
    expect(attention).toEqual([
      { list: "BLOCKED_ATTEMPTS", what: `Blocked machine OLD-LAPTOP tried to connect${from}` },
    ]);
    const given = { list: "BLOCKED_ATTEMPTS", days: 30, filter: { search: user.email } };
    const { rows } = await app.call("dashboardList { rows { what } }", given, token);
    expect(rows).toEqual([{ what: `OLD-LAPTOP is blocked and made a request${from}` }]);
  }
});
