import { describe, expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { buildProfile, createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const {
  changeUnconfirmedEmail,
  checkConfirmation,
  confirm,
  isSignedIn,
  listSubjects,
  loadMe,
  loadUser,
  resendConfirmation,
  signIn,
  updateProfile,
} = createAccountCalls(app);
const invalid = { confirmationToken: ["Sorry, that email confirmation token is invalid."] };

async function requestAddress(user: User, token: string, email: string) {
  const { status, json } = await updateProfile(token, buildProfile({ email }));
  return { status, json, handle: (await loadUser(user)).emailChangeHandle ?? "" };
}

async function setUp(email = freshEmail()) {
  const { user, token } = await createSignedIn(app);
  const requested = await requestAddress(user, token, email);
  // The owner of a taken address gets an email without a link.
  const secret = await findEmailedSecret(app, email).catch(() => "");
  return { user, token, email, secret, ...requested };
}

describe("changing the email address", () => {
  test("keeps the new address pending until its link is used, while the old one still works and is notified", async () => {
    const { user, token, email, secret, status, json, handle } = await setUp();
    expect([status, json]).toEqual([200, true]);
    expect((await checkConfirmation(handle)).json).toBe(email);
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

    // Whoever opens the link isn't signed in, because the new mailbox may belong to somebody else.
    const message = "Your new email address is confirmed. Please sign in with it.";
    expect(await confirm(secret)).toMatchObject({ status: 202, json: { message } });
    expect((await loadMe(token)).data.me).toMatchObject({ id: user.id, email, pendingEmail: null });
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
    expect((await listSubjects(user.email)).some((subject) => subject.endsWith("has changed"))).toBe(true);
    expect((await checkConfirmation(handle)).json).toBe("Confirmed");
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
  });

  test("signs in only its own user, also over GraphQL", async () => {
    for (const isOwn of [false, true]) {
      const { secret, token } = await setUp();
      const as = isOwn ? token : (await createSignedIn(app)).token;
      const fields = "message session { accessToken }";
      const { data } = await app.graphql(`confirmEmail { ${fields} }`, { confirmationToken: secret }, as);
      expect(data.confirmEmail).toEqual(
        isOwn
          ? { message: null, session: { accessToken: expect.any(String) } }
          : { message: expect.stringContaining("sign in"), session: null },
      );
    }
  });

  test("returns a new handle for the confirmation page over GraphQL", async () => {
    const { user, token } = await createSignedIn(app);
    const input = buildProfile();
    const fields = "confirmationHandle user { email pendingEmail }";
    const { data } = await app.graphql(`updateProfile { ${fields} }`, { input }, token);
    const { confirmationHandle: handle, ...result } = data.updateProfile;
    expect(result.user).toEqual({ email: user.email, pendingEmail: input.email });
    expect([user.id, user.confirmationHandle]).not.toContain(handle);
    const page = await app.graphql("emailConfirmation { email isConfirmed isChange }", { handle });
    expect(page.data.emailConfirmation).toEqual({ email: input.email, isConfirmed: false, isChange: true });
    // The registration's handle still returns the same state.
    expect((await checkConfirmation(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test("treats an address with a different letter case as the same one, and one with a plus tag or dot as another", async () => {
    for (const [variant, isOther] of [
      [(email: string) => email.toUpperCase(), false],
      [(email: string) => email.replace("@", "+tag@"), true],
      [(email: string) => email.replace("person", "per.son"), true],
    ] as const) {
      const user = await createUser(app);
      const email = variant(user.email);
      const result = await requestAddress(user, await signInAs(app, user), email);
      expect(result).toMatchObject({ status: 200, json: isOther });
      expect(await loadUser(user)).toMatchObject(
        isOther
          ? { email: user.email, pendingEmail: email }
          : { email, pendingEmail: null, signInEmail: user.signInEmail },
      );
    }
  });
});

describe("confirmation link of a new address", () => {
  test("stops working when another address is requested, and that address gets a new handle", async () => {
    const { user, token, secret, handle } = await setUp();
    const second = freshEmail();
    const again = await requestAddress(user, token, second);
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
    expect(again.handle).not.toBe(handle);
    expect((await checkConfirmation(handle)).status).toBe(404);
    expect((await confirm(await findEmailedSecret(app, second))).status).toBe(202);
    expect(await loadUser(user)).toMatchObject({ email: second, signInEmail: second });
  });

  test("confirms an address that was requested before domains were stored in ASCII in its ASCII spelling", async () => {
    const email = freshEmail().replace("example.com", "bücher.example");
    const { user, secret } = await setUp(email.replace("bücher", "xn--bcher-kva"));
    const { em } = app.context();
    await em.nativeUpdate(User, user.id, { pendingEmail: email });
    await em.nativeUpdate(EmailToken, { user: user.id, purpose: "change-email" }, { email });
    expect((await confirm(secret)).status).toBe(202);
    expect((await signIn(email)).status).toBe(200);
  });

  test("is replaced but keeps its handle when it is requested again or resent, until the current address is saved", async () => {
    const { user, token, email, secret, handle } = await setUp();
    expect(await requestAddress(user, token, email)).toMatchObject({ json: true, handle });
    expect((await confirm(secret)).status).toBe(400);
    const second = await findEmailedSecret(app, email);
    expect((await resendConfirmation(handle)).status).toBe(200);
    expect((await confirm(second)).status).toBe(400);
    const third = await findEmailedSecret(app, email);
    expect(await requestAddress(user, token, user.email)).toMatchObject({ json: false });
    expect((await confirm(third)).status).toBe(400);
    expect((await checkConfirmation(handle)).json).toBe("Confirmed");
    const before = (await listEmailsTo(app, email)).length;
    expect((await resendConfirmation(handle)).status).toBe(200);
    expect(await listEmailsTo(app, email)).toHaveLength(before);
  });

  test("stops working after 72 hours, when the password changes, and when the account is archived", async () => {
    const late = await setUp();
    app.clock.setOffset(3 * DAY + 1_000);
    expect((await confirm(late.secret)).status).toBe(400);
    app.clock.setOffset(0);
    // A new password keeps a recovered account with its owner.
    const recovered = await setUp();
    const em = app.context().em;
    (await em.findOneOrFail(User, recovered.user.id)).passwordHash = await hashPassword("Owner-is-back-1");
    await em.flush();
    expect((await confirm(recovered.secret)).status).toBe(400);
    expect(await loadUser(recovered.user)).toMatchObject({ pendingEmail: null });
    const archived = await setUp();
    await em.nativeUpdate(User, archived.user.id, { archivedAt: app.clock.now() });
    expect((await confirm(archived.secret)).status).toBe(400);
    for (const { user } of [late, recovered, archived])
      expect(await loadUser(user)).toMatchObject({ email: user.email });
  });
});

describe("account takeover", () => {
  test("is prevented: a handle can't set a different address, and the registration's reveals nothing and sends no email", async () => {
    const { user, email, handle } = await setUp();
    for (const one of [handle, handle.toUpperCase(), user.confirmationHandle])
      expect((await changeUnconfirmedEmail(one, "thief@example.com")).status).toBe(403);
    expect((await changeUnconfirmedEmail(user.id, "thief@example.com")).status).toBe(404);
    expect(await loadUser(user)).toMatchObject({ email: user.email, pendingEmail: email });
    expect(await listEmailsTo(app, "thief@example.com")).toEqual([]);
    const before = (await listEmailsTo(app, email)).length;
    expect((await resendConfirmation(user.confirmationHandle)).status).toBe(200);
    expect(await listEmailsTo(app, email)).toHaveLength(before);
    expect((await checkConfirmation(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test("is prevented: requesting a taken address looks the same and notifies its owner", async () => {
    const owner = await createUser(app);
    const free = await setUp();
    const taken = await setUp(owner.email.toUpperCase());
    expect([taken.status, taken.json]).toEqual([free.status, free.json]);
    expect((await checkConfirmation(taken.handle)).json).toBe(owner.email.toUpperCase());
    expect((await resendConfirmation(taken.handle)).text).toBe((await resendConfirmation(free.handle)).text);
    const emails = await listEmailsTo(app, owner.email);
    expect(emails).toHaveLength(2);
    for (const email of emails) {
      expect(email.text).toContain("tried to change another account to this email address");
      expect(email.text).not.toMatch(/\?t=|example\.com.*@/);
    }
    expect(await listEmailsTo(app, taken.user.email)).toHaveLength((await listEmailsTo(app, free.user.email)).length);
    for (const { email } of [owner, taken.user]) expect((await signIn(email)).status).toBe(200);
  });

  test("is prevented: an older link stops working once another user registers the address", async () => {
    const { user, token, email, secret } = await setUp();
    const other = await createUser(app, { email });
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
    expect(await loadUser(user)).toMatchObject({ email: user.email, signInEmail: user.signInEmail });
    expect(await loadUser(other)).toMatchObject({ signInEmail: email });
    expect(await isSignedIn(token)).toBe(true);
  });
});
