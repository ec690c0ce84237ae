import { expect, test } from "vitest";
import { MemberType } from "#schema/user.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { HOUR, MINUTE } from "#api/platform/clock.ts";
import { buildProfile, createAccountCalls } from "#tests/factories/account.ts";
import { createSignedIn, createUser } from "#tests/factories/user.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const timeout = 60_000;
const { confirm, resetPassword, signIn, updateProfile } = createAccountCalls(app);
const createAdminByCommand = (...args: string[]) => runCommandOn(app, "create-admin", ...args);
const find = (email: string) => app.context().em.findOne(User, { signInEmail: email });

test("creates an owner who sets a password with the printed link and signs in", { timeout }, async () => {
  const { code, output, errors } = await createAdminByCommand("--email", "Grace@example.com", "--first-name", "Grace");
  expect([code, errors]).toEqual([0, ""]);
  const [, resetToken] = /http:\/\/\S+\/reset-password\/\?t=(\S+)/.exec(output) ?? [];
  const user = await find("grace@example.com");
  expect(user).toMatchObject({ memberType: MemberType.Admin, staffRoles: [], firstName: "Grace", lastName: "Admin" });
  const [entry] = await app.context().em.find(AuditEntry, { subjectId: user?.id ?? "" });
  expect(entry).toMatchObject({ action: "create-user", actorName: "System", requestId: "create-admin" });
  const select = "select type from security_events where user_id = $1";
  expect((await app.services.pool.query(select, [user?.id])).rows).toEqual([{ type: "role.changed" }]);
  const emails = await listEmailsTo(app, "Grace@example.com");
  expect(emails.some(({ text }) => text.includes(resetToken ?? "none") && text.includes("24 hours"))).toBe(true);

  app.clock.setOffset(23 * HOUR);
  expect([(await resetPassword(resetToken)).status, (await resetPassword(resetToken)).status]).toEqual([200, 400]);
});

test("prints JSON, and the link expires after 24 hours", { timeout }, async () => {
  const { code, output } = await createAdminByCommand("--email", "late@example.com", "--json");
  const admin = JSON.parse(output);
  expect([code, admin]).toMatchObject([0, { email: "late@example.com", isPromoted: false }]);
  app.clock.setOffset(app.clock.offsetMs + 24 * HOUR + MINUTE);
  expect((await resetPassword(new URL(admin.link).searchParams.get("t"))).status).toBe(400);
});

test.each([
  ["a customer", {}],
  ["an admin with other roles", { memberType: MemberType.Admin, staffRoles: ["support" as const] }],
])("makes %s an owner only if --promote is given", { timeout }, async (_name, status) => {
  const user = await createUser(app, status);
  const refused = await createAdminByCommand("--email", user.email);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("Add --promote to make it an admin.")]);
  expect((await find(user.email))?.memberType).toBe(user.memberType);
  const promoted = await createAdminByCommand("--email", user.email, "--promote");
  expect([promoted.code, promoted.errors]).toEqual([0, ""]);
  expect(await find(user.email)).toMatchObject({ memberType: MemberType.Admin, staffRoles: [] });
  const again = await createAdminByCommand("--email", user.email, "--promote");
  expect([again.code, again.errors]).toEqual([1, `${user.email} is an owner already.\n`]);
});

test("doesn't keep the password of an unconfirmed registration, which may be a stranger's", { timeout }, async () => {
  const user = await createUser(app, { emailConfirmedAt: null });
  const { pool } = app.services;
  await pool.query("insert into registration_browsers values (gen_random_uuid(), $1, 'cookie', 'address')", [user.id]);
  expect((await createAdminByCommand("--email", user.email, "--promote")).code).toBe(0);
  expect((await pool.query("select from registration_browsers where user_id = $1", [user.id])).rowCount).toBe(0);
  expect((await signIn(user.email)).json).toEqual({ invalid_grant: [expect.any(String)] });
});

test("refuses an address that another account may take back", { timeout: 2 * timeout }, async () => {
  const { user, token } = await createSignedIn(app);
  await updateProfile(token, buildProfile({ email: "moved@example.com" }));
  expect((await confirm(await findEmailedSecret(app, "moved@example.com"))).status).toBe(202);
  const { code, errors } = await createAdminByCommand("--email", user.email);
  const message = `Another account had ${user.email} and can take it back for 7 days. Use another address.\n`;
  expect([code, errors]).toEqual([1, message]);
});

test("doesn't promote a subscriber, an archived account or nobody", { timeout: 2 * timeout }, async () => {
  const { user: subscriber } = await createSubscriber(app);
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  for (const [email, message] of [
    [subscriber.email, "This customer has an active subscription."],
    [archived.email, "is archived."],
    ["nobody@example.com", "No account has nobody@example.com."],
  ] as const) {
    const { code, errors } = await createAdminByCommand("--email", email, "--promote");
    expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
  }
});
