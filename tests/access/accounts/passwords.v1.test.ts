import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, test } from "vitest";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { COMMON_PASSWORD_MESSAGE, isCommonPassword, PERSONAL_PASSWORD_MESSAGE } from "#schema/password.ts";
import { createAccountCalls, getErrorCode, newPassword } from "#tests/factories/account.ts";
import { WebhookEndpoint } from "#api/webhooks/endpoints/webhook-endpoint.entity.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { openWebhookCalls } from "#tests/factories/webhook.ts";
import { createSignedIn, createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const {
  changePassword,
  confirm,
  isSignedIn,
  listSubjects,
  loadMe,
  refresh,
  register,
  requestReset,
  requestResetToken,
  resendConfirmation,
  resetPassword,
  signIn,
  validateResetToken,
} = createAccountCalls(app);

const invalid = { resetToken: ["Your password reset request is invalid, please reset your password again."] };
const changed = "Your password for Planvarro Software was changed";
/** A breached password that the form's own list doesn't include. */
const breached = "thunder1";
const isValid = async (resetToken: unknown) => (await validateResetToken(resetToken)).json;

describe("requesting a reset link", () => {
  test("emails a link to this site regardless of the Host header and stores no secret", async () => {
    const user = await createUser(app);
    const headers = { "x-forwarded-host": "evil.example" };
    expect(await requestReset(user.email.toUpperCase(), headers)).toMatchObject({ status: 200, text: "true" });
    const [mail] = await listEmailsTo(app, user.email);
    expect(mail?.to).toBe(user.email);
    expect(mail?.text).toContain("http://portal.test/reset-password/?t=");
    expect(mail?.text).not.toContain("evil");
    const secret = await findEmailedSecret(app, user.email);
    const { data } = await app.graphql("isResetTokenValid", { input: { resetToken: secret } });
    expect([await isValid(secret), data]).toEqual([true, { isResetTokenValid: true }]);
    const [token] = await app.context().em.find(EmailToken, { user: user.id });
    expect(JSON.stringify(token)).not.toContain(secret);
  });

  test("returns identical responses for unknown and archived addresses and sends no email", async () => {
    const known = await requestReset((await createUser(app)).email);
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const countEmails = () => app.context().em.count(Email);
    const before = await countEmails();
    for (const email of ["nobody@example.com", archived.email]) {
      const answer = await requestReset(email);
      expect([answer.status, answer.text]).toEqual([known.status, known.text]);
      const shown = ({ headers }: typeof answer) => [...headers.keys()].filter((name) => name !== "date").toSorted();
      expect(shown(answer)).toEqual(shown(known));
    }
    expect(await countEmails()).toBe(before);
    expect(await app.services.jobs.drain()).toBeGreaterThan(0);
  });

  test("also emails unconfirmed users, and the owner of an address that was registered twice", async () => {
    const unconfirmed = await createUser(app, { emailConfirmedAt: null });
    expect(await isValid(await requestResetToken(unconfirmed))).toBe(true);
    const owner = await createUser(app);
    await register(buildRegistration({ email: owner.email, firstName: "Late" }));
    expect((await listEmailsTo(app, owner.email))[0]?.text).toContain("http://portal.test/forgot-password/");
    expect(await isValid(await requestResetToken(owner))).toBe(true);
    expect((await listEmailsTo(app, owner.email))[0]?.text).not.toContain("Late");
  });
});

describe("reset link", () => {
  test("sets a new password, signs in, ends other sessions, notifies the owner and works once", async () => {
    const user = await createUser(app);
    const before = (await signIn(user.email)).json;
    const secret = await requestResetToken(user);
    const { status, json } = await resetPassword(secret);
    expect(status).toBe(200);
    expect(Object.keys(json).toSorted()).toEqual(["access_token", "expires_in", "refresh_token"]);
    expect((await loadMe(json.access_token)).data.me).toMatchObject({ email: user.email, emailConfirmed: true });
    expect(await isSignedIn(before.access_token)).toBe(false);
    expect((await refresh(before.refresh_token)).json).toHaveProperty("invalid_refreshtoken");
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, newPassword)).status).toBe(200);
    expect((await listSubjects(user.email)).filter((subject) => subject === changed)).toHaveLength(1);
    expect(await isValid(secret)).toBe(false);
    expect(await resetPassword(secret)).toMatchObject({ status: 400, json: invalid });
  });

  test("revokes personal access tokens and turns webhook endpoints off", async () => {
    const user = await createUser(app);
    const token = await createTokenWithScopes(app, user, ["profile:read"]);
    const input = { url: "https://hooks.example.com/", description: "", eventTypes: ["LICENCE_ISSUED"] };
    const session = await signInAs(app, user);
    await openWebhookCalls(app).add({ input }, session);
    expect((await resetPassword(await requestResetToken(user))).status).toBe(200);
    expect(getErrorCode(await loadMe(token))).toBe("UNAUTHENTICATED");
    const [endpoint] = await app.context().em.find(WebhookEndpoint, { owner: user.id });
    expect(endpoint).toMatchObject({ enabled: false, disabledReason: expect.stringContaining("reset") });
    const notice = (await listEmailsTo(app, user.email)).find(({ subject }) => subject === changed);
    expect(notice?.text).toContain("tokens were revoked");
  });

  test("confirms an unconfirmed address, and ends the link that would have confirmed it", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    await resendConfirmation(user.confirmationHandle);
    const confirmation = await findEmailedSecret(app, user.email);
    const { json } = await resetPassword(await requestResetToken(user));
    expect((await confirm(confirmation)).status).toBe(400);
    expect((await loadMe(json.access_token)).data.me.emailConfirmed).toBe(true);
    expect((await signIn(user.email, newPassword)).status).toBe(200);
  });

  test("stops working when a newer one is sent, and after 30 minutes", async () => {
    const user = await createUser(app);
    const [older, newer] = [await requestResetToken(user), await requestResetToken(user)];
    expect([await isValid(older), (await resetPassword(older)).json]).toEqual([false, invalid]);
    app.clock.setOffset(app.clock.offsetMs + 30 * MINUTE - 5 * SECOND);
    expect(await isValid(newer)).toBe(true);
    app.clock.setOffset(app.clock.offsetMs + 6 * SECOND);
    expect([await isValid(newer), (await resetPassword(newer)).json]).toEqual([false, invalid]);
  });

  test("stays valid after a check and after a rejected password", async () => {
    const secret = await requestResetToken(await createUser(app, { lastName: "Lovelace" }));
    for (const [password, message] of [
      ["short1", "Password must have at least 8 characters."],
      ["Lovelace1815", PERSONAL_PASSWORD_MESSAGE],
      [breached, COMMON_PASSWORD_MESSAGE],
      ["a1".repeat(500), "Password must have at most 128 characters."],
    ])
      expect(await resetPassword(secret, password)).toMatchObject({ status: 400, json: { password: [message] } });
    expect(await isValid(secret)).toBe(true);
    expect((await resetPassword(secret)).status).toBe(200);
  });

  test("is invalid for an archived account or a replaced address", async () => {
    for (const change of [{ archivedAt: app.clock.now() }, { email: "moved@example.com" }]) {
      const user = await createUser(app);
      const secret = await requestResetToken(user);
      await app.context().em.nativeUpdate(User, { id: user.id }, change);
      expect(await isValid(secret)).toBe(false);
      expect((await resetPassword(secret)).json).toEqual(invalid);
    }
  });
});

describe("changing a password", () => {
  test("keeps the current session, ends the user's others and their reset link, and notifies the owner", async () => {
    const user = await createUser(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    const stranger = await signInAs(app, await createUser(app));
    const resetToken = await requestResetToken(user);
    expect(await changePassword(here)).toMatchObject({ status: 200, text: "true" });
    const signedIn = [await isSignedIn(here), await isSignedIn(elsewhere), await isSignedIn(stranger)];
    expect(signedIn).toEqual([true, false, true]);
    expect(await isValid(resetToken)).toBe(false);
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, newPassword)).status).toBe(200);
    expect((await listSubjects(user.email)).filter((subject) => subject === changed)).toHaveLength(1);
  });

  test("rejects a wrong existing password and says what to do", async () => {
    const user = await createUser(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    expect(await changePassword(here, { existingPassword: "Wrong-pass-1" })).toMatchObject({
      status: 400,
      json: {
        existingPassword: ["This is not your existing password. Check it, or sign out and choose Forgot Password."],
      },
    });
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect((await signIn(user.email)).status).toBe(200);
    expect((await listSubjects(user.email)).filter((subject) => subject.includes("password"))).toEqual([]);
  });

  test("rejects a new password that is easy to guess or breached, or that differs when repeated", async () => {
    const { user, token } = await createSignedIn(app);
    for (const [changes, errors] of [
      [{ password: "Byron-1815", confirmPassword: "Byron-1815" }, { password: [PERSONAL_PASSWORD_MESSAGE] }],
      [{ password: "Analytical2026", confirmPassword: "Analytical2026" }, { password: [PERSONAL_PASSWORD_MESSAGE] }],
      ...[
        breached,
        "Summer2026!",
        "Company2026",
        "rockyou1",
        "Autumn-2025",
        "Winter2027!!",
        "Asdfgh2026",
        "Brisbane2026",
      ].map((password) => [{ password, confirmPassword: password }, { password: [COMMON_PASSWORD_MESSAGE] }] as const),
      // A random password may have the fewest characters that the specification allows.
      [{ password: "xk29fjq1", confirmPassword: "x" }, { confirmPassword: ["Passwords must match"] }],
      [{ confirmPassword: "Another-pass-1" }, { confirmPassword: ["Passwords must match"] }],
    ] as const)
      expect(await changePassword(token, changes)).toMatchObject({ status: 400, json: errors });
    expect((await signIn(user.email)).status).toBe(200);
  });

  test("works the same over GraphQL", async () => {
    const user = await createUser(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    const change = (existingPassword: string) => {
      const input = { existingPassword, password: newPassword, confirmPassword: newPassword };
      return app.graphql("changePassword { id }", { input }, here);
    };
    expect(Object.keys((await change("Wrong-pass-1")).errors?.[0]?.extensions.fields ?? {})).toEqual([
      "existingPassword",
    ]);
    expect((await change(testPassword)).data).toEqual({ changePassword: { id: user.id } });
    expect(getErrorCode(await loadMe(elsewhere))).toBe("UNAUTHENTICATED");
  });
});

test("breached passwords are more than 10,000, and can't be registered", async () => {
  expect(dictionary["passwords-common"].length).toBeGreaterThan(10_000);
  expect(dictionary["passwords-common"]).toContain(breached);
  expect(isCommonPassword(breached)).toBe(false);
  const { status, json } = await register(buildRegistration({ password: breached, confirmPassword: breached }));
  expect([status, json]).toEqual([400, { password: [COMMON_PASSWORD_MESSAGE] }]);
});
