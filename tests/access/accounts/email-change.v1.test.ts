import { describe, expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createUser, registration, signInAs, testPassword } from "#tests/factories/user.ts";
import { mailsTo, secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const invalid = { confirmationToken: ["Sorry, that email confirmation token is invalid."] };

const freshEmail = () => registration().email as string;
const confirm = (confirmationToken: string) =>
  app.rest("POST", "/v1/core/accounts/confirm-email", { body: { confirmationToken } });
const check = (handle: string) => app.rest("PATCH", `/v1/core/accounts/check-confirmation/${handle}`);
const resend = (handle: string) => app.rest("POST", `/v1/core/accounts/resend-confirmation-email/${handle}`);
const changeThere = (userId: string, email: string) =>
  app.rest("PUT", "/v1/core/accounts/change-email-address/", { body: { userId, email } });
const signIn = (UserName: string) =>
  app.rest("POST", "/v1/core/auth/token", {
    body: { UserName, Password: testPassword, ClientId: "portal", GrantType: "password" },
  });
const stored = (user: User) => app.services.orm.em.fork().findOneOrFail(User, user.id);

/** Asks for another address over REST; answers the status, the answer and the change's handle. */
async function ask(user: User, token: string, email: string) {
  const { password: _, confirmPassword: __, ...profile } = registration({ email });
  const { status, json } = await app.rest("PUT", "/v1/core/accounts/update-profile", { body: profile, token });
  return { status, json, handle: (await stored(user)).emailChangeHandle ?? "" };
}

async function asking(email = freshEmail()) {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  return { user, token, email, ...(await ask(user, token, email)) };
}

describe("another address", () => {
  test("waits: the old one signs in and is told, until the link in the new one's mail is used", async () => {
    const { user, token, email, status, json, handle } = await asking();
    expect([status, json]).toEqual([200, true]);
    expect((await check(handle)).json).toBe(email);
    expect((await signIn(user.email)).status).toBe(200);
    expect((await signIn(email)).json).toHaveProperty("invalid_grant");
    // The sign-in above may have been mailed too.
    const told = (await mailsTo(app, user.email)).find(({ subject }) =>
      subject.startsWith("A new email address was asked for"),
    );
    expect(told?.text).toContain(email);
    expect(told?.text).not.toContain("?t=");
    expect((await mailsTo(app, email))[0]?.text).toContain("http://portal.test/confirm-email?t=");
    expect((await mailsTo(app, email))[0]?.text).not.toContain(user.email);

    const secret = await secretMailedTo(app, email);
    const confirmed = await confirm(secret);
    expect(confirmed.status).toBe(200);
    const me = "{ me { id email pendingEmail } }";
    const expected = { id: user.id, email, pendingEmail: null };
    expect((await app.graphql(me, {}, confirmed.json.access_token)).data.me).toEqual(expected);
    // Other sessions stay: the person who owns both mailboxes and the password is the same.
    expect((await app.graphql(me, {}, token)).data.me).toEqual(expected);
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
    expect((await mailsTo(app, user.email)).some((mail) => mail.subject.endsWith("has changed"))).toBe(true);
    expect((await check(handle)).json).toBe("Confirmed");
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
  });

  test("in GraphQL gives the handle of its confirmation page, which is neither the account's id nor an older handle", async () => {
    const user = await createUser(app);
    const { password: _, confirmPassword: __, ...input } = registration();
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
    // The handle of the registration goes on saying what it said.
    expect((await check(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test.each([
    ["case of its letters is no other address", (email: string) => email.toUpperCase(), false],
    ["plus tag is another address", (email: string) => email.replace("@", "+tag@"), true],
    ["dot is another address", (email: string) => email.replace("person", "per.son"), true],
  ])("the %s", async (_, variant, answer) => {
    const user = await createUser(app);
    const email = variant(user.email);
    const asked = await ask(user, await signInAs(app, user), email);
    expect(asked).toMatchObject({ status: 200, json: answer });
    const after = await stored(user);
    expect(after).toMatchObject(
      answer
        ? { email: user.email, pendingEmail: email }
        : { email, pendingEmail: null, signInEmail: user.signInEmail },
    );
  });

  test("of 254 characters can be asked for and confirmed, and signs in in any case", async () => {
    const tail = `@${"d".repeat(60)}.example.com`;
    const email = `${"X".repeat(254 - tail.length - 14)}${String(Date.now()).padStart(14, "0")}${tail}`;
    expect(email).toHaveLength(254);
    await asking(email);
    expect((await confirm(await secretMailedTo(app, email))).status).toBe(200);
    expect((await signIn(email.toLowerCase())).status).toBe(200);
  });
});

describe("a link to the new address", () => {
  test("dies when another address takes its place, and that one's handle is new", async () => {
    const { user, token, email, handle } = await asking();
    const older = await secretMailedTo(app, email);
    const second = freshEmail();
    const again = await ask(user, token, second);
    expect(await confirm(older)).toMatchObject({ status: 400, json: invalid });
    expect(again.handle).not.toBe(handle);
    expect((await check(handle)).status).toBe(404);
    expect((await confirm(await secretMailedTo(app, second))).status).toBe(200);
    expect(await stored(user)).toMatchObject({ email: second, signInEmail: second });
  });

  test("asked for again under the same address dies for the newer one, at the same handle", async () => {
    const { user, token, email, handle } = await asking();
    const older = await secretMailedTo(app, email);
    expect(await ask(user, token, email)).toMatchObject({ json: true, handle });
    expect((await confirm(older)).status).toBe(400);
  });

  test("dies when it is mailed again", async () => {
    const { email, handle } = await asking();
    const older = await secretMailedTo(app, email);
    expect((await resend(handle)).status).toBe(200);
    expect((await confirm(older)).status).toBe(400);
    expect((await confirm(await secretMailedTo(app, email))).status).toBe(200);
  });

  test("dies when the present address is saved again", async () => {
    const { user, token, email, handle } = await asking();
    expect(await ask(user, token, user.email)).toMatchObject({ json: false });
    expect((await confirm(await secretMailedTo(app, email))).status).toBe(400);
    expect((await check(handle)).json).toBe("Confirmed");
    const before = (await mailsTo(app, email)).length;
    expect((await resend(handle)).status).toBe(200);
    expect(await mailsTo(app, email)).toHaveLength(before);
  });

  test("dies with a new password: who takes the account back keeps it", async () => {
    const { user, email } = await asking();
    const em = app.services.orm.em.fork();
    (await em.findOneOrFail(User, user.id)).passwordHash = await hashPassword("Owner-is-back-1");
    await em.flush();
    expect((await confirm(await secretMailedTo(app, email))).status).toBe(400);
    expect(await stored(user)).toMatchObject({ email: user.email, pendingEmail: null });
  });

  test("works for 72 hours", async () => {
    const { user, email } = await asking();
    const secret = await secretMailedTo(app, email);
    const before = app.clock.offsetMs;
    app.clock.setOffset(before + 3 * DAY + 1_000);
    expect((await confirm(secret)).status).toBe(400);
    app.clock.setOffset(before);
    expect(await stored(user)).toMatchObject({ email: user.email });
  });

  test("does nothing for an archived account", async () => {
    const { user, email } = await asking();
    await app.services.orm.em.fork().nativeUpdate(User, user.id, { archivedAt: app.clock.now() });
    expect((await confirm(await secretMailedTo(app, email))).status).toBe(400);
    expect(await stored(user)).toMatchObject({ email: user.email });
  });
});

describe("taking an account over", () => {
  test("is not possible by the handle of a change: the address behind it cannot be changed there", async () => {
    const { user, email, handle } = await asking();
    for (const one of [handle, handle.toUpperCase(), user.confirmationHandle])
      expect((await changeThere(one, "thief@example.com")).status).toBe(403);
    expect((await changeThere(user.id, "thief@example.com")).status).toBe(404);
    expect(await stored(user)).toMatchObject({ email: user.email, pendingEmail: email });
    expect(await mailsTo(app, "thief@example.com")).toEqual([]);
  });

  test("is not possible by the registration's handle: a confirmed address is mailed nothing and told to nobody", async () => {
    const { user, email } = await asking();
    const before = (await mailsTo(app, email)).length;
    expect((await resend(user.confirmationHandle)).status).toBe(200);
    expect(await mailsTo(app, email)).toHaveLength(before);
    expect((await check(user.confirmationHandle)).json).toBe("Confirmed");
  });

  test("by asking for a taken address is answered alike, tells its owner, and leads nowhere", async () => {
    const owner = await createUser(app);
    const free = await asking();
    const taken = await asking(owner.email.toUpperCase());
    expect([taken.status, taken.json]).toEqual([free.status, free.json]);
    expect((await check(taken.handle)).json).toBe(owner.email.toUpperCase());
    expect((await resend(taken.handle)).text).toBe((await resend(free.handle)).text);
    const mails = await mailsTo(app, owner.email);
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail.text).toContain("tried to give another account this email address");
      expect(mail.text).not.toMatch(/\?t=|example\.com.*@/);
    }
    expect(await mailsTo(app, taken.user.email)).toHaveLength((await mailsTo(app, free.user.email)).length);
    expect((await signIn(owner.email)).status).toBe(200);
    expect((await signIn(taken.user.email)).status).toBe(200);
  });

  test("by a link that was mailed before somebody else registered the address is refused", async () => {
    const { user, email } = await asking();
    const secret = await secretMailedTo(app, email);
    const other = await createUser(app, { email });
    expect(await confirm(secret)).toMatchObject({ status: 400, json: invalid });
    expect(await stored(user)).toMatchObject({ email: user.email, signInEmail: user.signInEmail });
    expect(await stored(other)).toMatchObject({ signInEmail: email });
  });

  test("a secret of another kind does not confirm a new address", async () => {
    const { email } = await asking();
    const secret = await secretMailedTo(app, email);
    const em = app.services.orm.em.fork();
    await em.nativeUpdate(EmailToken, { email }, { purpose: "reset-password" });
    expect((await confirm(secret)).status).toBe(400);
  });
});
