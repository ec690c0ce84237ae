import { describe, expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const invalid = { confirmationToken: ["Sorry, that email confirmation token is invalid."] };

const freshEmail = () => buildRegistration().email as string;
const confirm = (confirmationToken: string) =>
  app.rest("POST", "/v1/core/accounts/confirm-email", { body: { confirmationToken } });
const check = (handle: string) => app.rest("PATCH", `/v1/core/accounts/check-confirmation/${handle}`);
const resend = (handle: string) => app.rest("POST", `/v1/core/accounts/resend-confirmation-email/${handle}`);
const changeUnconfirmed = (userId: string, email: string) =>
  app.rest("PUT", "/v1/core/accounts/change-email-address/", { body: { userId, email } });
const signIn = (UserName: string) =>
  app.rest("POST", "/v1/core/auth/token", {
    body: { UserName, Password: testPassword, ClientId: "portal", GrantType: "password" },
  });
const loadUser = (user: User) => app.services.orm.em.fork().findOneOrFail(User, user.id);

/** Requests a new address over REST. Returns the response's status and body, and the handle of the change. */
async function requestAddress(user: User, token: string, email: string) {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration({ email });
  const { status, json } = await app.rest("PUT", "/v1/core/accounts/update-profile", { body: profile, token });
  return { status, json, handle: (await loadUser(user)).emailChangeHandle ?? "" };
}

async function setUp(email = freshEmail()) {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  return { user, token, email, ...(await requestAddress(user, token, email)) };
}

describe("changing the email address", () => {
  test("keeps the new address pending until its link is used, while the old one still works and is notified", async () => {
    const { user, token, email, status, json, handle } = await setUp();
    expect([status, json]).toEqual([200, true]);
    expect((await check(handle)).json).toBe(email);
    expect((await signIn(user.email)).status).toBe(200);
    expect((await signIn(email)).json).toHaveProperty("invalid_grant");
    // The sign-in above may also have sent an email.
    const notification = (await listEmailsTo(app, user.email)).find(({ subject }) =>
      subject.startsWith("A new email address was requested for"),
    );
    expect(notification?.text).toContain(email);
    expect(notification?.text).toContain("http://portal.test/undo-email-change/?t=");
    expect((await listEmailsTo(app, email))[0]?.text).toContain("http://portal.test/confirm-email?t=");
    expect((await listEmailsTo(app, email))[0]?.text).not.toContain(user.email);

    const secret = await findEmailedSecret(app, email);
    const confirmed = await confirm(secret);
    expect(confirmed.status).toBe(200);
    const me = "{ me { id email pendingEmail } }";
    const expected = { id: user.id, email, pendingEmail: null };
    expect((await app.graphql(me, {}, confirmed.json.access_token)).data.me).toEqual(expected);
    // Other sessions stay open, because the same user owns both mailboxes and the password.
    expect((await app.graphql(me, {}, token)).data.me).toEqual(expected);
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
    expect((await listEmailsTo(app, user.email)).some((email) => email.subject.endsWith("has changed"))).toBe(true);
    expect((await check(handle)).json).toBe("Confirmed");
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
  });

  test("returns a new handle for the confirmation page over GraphQL", async () => {
    const user = await createUser(app);
    const { password: _, confirmPassword: __, ...input } = buildRegistration();
    const { data } = await app.graphql(
      "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { confirmationHandle user { email pendingEmail } } }",
      { input },
      await signInAs(app, user),
    );
    const { confirmationHandle: handle, ...result } = data.updateProfile;
    expect(result.user).toEqual({ email: user.email, pendingEmail: input.email });
    expect([user.id, user.confirmationHandle]).not.toContain(handle);
    const page = await app.graphql(
      "query ($handle: ID!) { emailConfirmation(handle: $handle) { email isConfirmed isChange } }",
      {
        handle,
      },
    );
    expect(page.data.emailConfirmation).toEqual({ email: input.email, isConfirmed: false, isChange: true });
    // The registration's handle still returns the same state.
    expect((await check(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test.each([
    ["different letter case as the same address", (email: string) => email.toUpperCase(), false],
    ["plus tag as another address", (email: string) => email.replace("@", "+tag@"), true],
    ["dot as another address", (email: string) => email.replace("person", "per.son"), true],
  ])("treats an address with a %s", async (_, variant, answer) => {
    const user = await createUser(app);
    const email = variant(user.email);
    const result = await requestAddress(user, await signInAs(app, user), email);
    expect(result).toMatchObject({ status: 200, json: answer });
    const after = await loadUser(user);
    expect(after).toMatchObject(
      answer
        ? { email: user.email, pendingEmail: email }
        : { email, pendingEmail: null, signInEmail: user.signInEmail },
    );
  });

  test("accepts an address of 254 characters, which then signs in with any letter case", async () => {
    const tail = `@${"d".repeat(60)}.example.com`;
    const email = `${"X".repeat(254 - tail.length - 14)}${String(Date.now()).padStart(14, "0")}${tail}`;
    expect(email).toHaveLength(254);
    await setUp(email);
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(200);
    expect((await signIn(email.toLowerCase())).status).toBe(200);
  });
});

describe("confirmation link of a new address", () => {
  test("stops working when another address is requested, and that address gets a new handle", async () => {
    const { user, token, email, handle } = await setUp();
    const older = await findEmailedSecret(app, email);
    const second = freshEmail();
    const again = await requestAddress(user, token, second);
    expect(await confirm(older)).toMatchObject({ status: 400, json: invalid });
    expect(again.handle).not.toBe(handle);
    expect((await check(handle)).status).toBe(404);
    expect((await confirm(await findEmailedSecret(app, second))).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ email: second, signInEmail: second });
  });

  test("is replaced but keeps its handle when the same address is requested again", async () => {
    const { user, token, email, handle } = await setUp();
    const older = await findEmailedSecret(app, email);
    expect(await requestAddress(user, token, email)).toMatchObject({ json: true, handle });
    expect((await confirm(older)).status).toBe(400);
  });

  test("stops working when a new one is sent", async () => {
    const { email, handle } = await setUp();
    const older = await findEmailedSecret(app, email);
    expect((await resend(handle)).status).toBe(200);
    expect((await confirm(older)).status).toBe(400);
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(200);
  });

  test("stops working when the user saves the current address again", async () => {
    const { user, token, email, handle } = await setUp();
    expect(await requestAddress(user, token, user.email)).toMatchObject({ json: false });
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(400);
    expect((await check(handle)).json).toBe("Confirmed");
    const before = (await listEmailsTo(app, email)).length;
    expect((await resend(handle)).status).toBe(200);
    expect(await listEmailsTo(app, email)).toHaveLength(before);
  });

  test("stops working when the password changes, so that the owner keeps a recovered account", async () => {
    const { user, email } = await setUp();
    const em = app.services.orm.em.fork();
    (await em.findOneOrFail(User, user.id)).passwordHash = await hashPassword("Owner-is-back-1");
    await em.flush();
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(400);
    expect(await loadUser(user)).toMatchObject({ email: user.email, pendingEmail: null });
  });

  test("is valid for 72 hours", async () => {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const before = app.clock.offsetMs;
    app.clock.setOffset(before + 3 * DAY + 1_000);
    expect((await confirm(secret)).status).toBe(400);
    app.clock.setOffset(before);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });

  test("does nothing for an archived account", async () => {
    const { user, email } = await setUp();
    await app.services.orm.em.fork().nativeUpdate(User, user.id, { archivedAt: app.clock.now() });
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(400);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });
});

describe("account takeover", () => {
  test("is prevented: the handle of a pending change can't set a different address", async () => {
    const { user, email, handle } = await setUp();
    for (const one of [handle, handle.toUpperCase(), user.confirmationHandle])
      expect((await changeUnconfirmed(one, "thief@example.com")).status).toBe(403);
    expect((await changeUnconfirmed(user.id, "thief@example.com")).status).toBe(404);
    expect(await loadUser(user)).toMatchObject({ email: user.email, pendingEmail: email });
    expect(await listEmailsTo(app, "thief@example.com")).toEqual([]);
  });

  test("is prevented: the registration's handle reveals nothing and sends no email", async () => {
    const { user, email } = await setUp();
    const before = (await listEmailsTo(app, email)).length;
    expect((await resend(user.confirmationHandle)).status).toBe(200);
    expect(await listEmailsTo(app, email)).toHaveLength(before);
    expect((await check(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test("is prevented: requesting a taken address looks the same and notifies its owner", async () => {
    const owner = await createUser(app);
    const free = await setUp();
    const taken = await setUp(owner.email.toUpperCase());
    expect([taken.status, taken.json]).toEqual([free.status, free.json]);
    expect((await check(taken.handle)).json).toBe(owner.email.toUpperCase());
    expect((await resend(taken.handle)).text).toBe((await resend(free.handle)).text);
    const emails = await listEmailsTo(app, owner.email);
    expect(emails).toHaveLength(2);
    for (const email of emails) {
      expect(email.text).toContain("tried to change another account to this email address");
      expect(email.text).not.toMatch(/\?t=|example\.com.*@/);
    }
    expect(await listEmailsTo(app, taken.user.email)).toHaveLength((await listEmailsTo(app, free.user.email)).length);
    expect((await signIn(owner.email)).status).toBe(200);
    expect((await signIn(taken.user.email)).status).toBe(200);
  });

  test("is prevented: an older link stops working once another user registers the address", async () => {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const other = await createUser(app, { email });
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
    expect(await loadUser(user)).toMatchObject({ email: user.email, signInEmail: user.signInEmail });
    expect(await loadUser(other)).toMatchObject({ signInEmail: email });
  });

  test("is prevented: a token issued for another purpose doesn't confirm a new address", async () => {
    const { email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const em = app.services.orm.em.fork();
    await em.nativeUpdate(EmailToken, { email }, { purpose: "reset-password" });
    expect((await confirm(secret)).status).toBe(400);
  });
});
