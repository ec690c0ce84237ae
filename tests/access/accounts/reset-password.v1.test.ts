import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const newPassword = "Gantt-charts-44";
const invalid = { resetToken: ["Your password reset request is invalid, please reset your password again."] };

const validate = (resetToken: unknown) =>
  app.rest("POST", "/v1/core/accounts/token/validate", { body: { resetToken } });
const reset = (resetToken: unknown, changes: Record<string, unknown> = {}) =>
  app.rest("POST", "/v1/core/accounts/password/reset", {
    body: { password: newPassword, confirmPassword: newPassword, resetToken, ...changes },
  });
const signIn = (UserName: string, Password: string) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const me = (token: string) => app.graphql("{ me { email emailConfirmed } }", {}, token);

async function requestReset(user: User): Promise<string> {
  await app.rest("PATCH", `/v1/core/accounts/${encodeURIComponent(user.email)}/password/reset/request`);
  return findEmailedSecret(app, user.email);
}

describe("reset link", () => {
  test("sets a new password, signs in, ends other sessions, notifies the owner and works once", async () => {
    const user = await createUser(app);
    const before = (await signIn(user.email, testPassword)).json;
    const secret = await requestReset(user);
    const { status, json } = await reset(secret);
    expect(status).toBe(200);
    expect(Object.keys(json).toSorted()).toEqual(["access_token", "expires_in", "refresh_token"]);
    expect((await me(json.access_token)).data.me).toEqual({ email: user.email, emailConfirmed: true });
    expect((await me(before.access_token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
    const refreshed = await app.rest("POST", "/v1/core/auth/token", {
      body: { RefreshToken: before.refresh_token, ClientId: "portal", GrantType: "refresh_token" },
    });
    expect(refreshed.json).toHaveProperty("invalid_refreshtoken");
    expect((await signIn(user.email, testPassword)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, newPassword)).status).toBe(200);
    const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "Your password for XER Solutions was changed")).toHaveLength(1);

    expect((await validate(secret)).json).toBe(false);
    const again = await reset(secret);
    expect([again.status, again.json]).toEqual([400, invalid]);
  });

  test("confirms an unconfirmed address", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    const { json } = await reset(await requestReset(user));
    expect((await me(json.access_token)).data.me.emailConfirmed).toBe(true);
    expect((await signIn(user.email, newPassword)).status).toBe(200);
  });

  test("is valid for 30 minutes", async () => {
    const user = await createUser(app);
    const secret = await requestReset(user);
    app.clock.setOffset(app.clock.offsetMs + 30 * MINUTE - 5 * SECOND);
    expect((await validate(secret)).json).toBe(true);
    app.clock.setOffset(app.clock.offsetMs + 6 * SECOND);
    expect((await validate(secret)).json).toBe(false);
    expect((await reset(secret)).json).toEqual(invalid);
  });

  test("stops working when a newer one is sent", async () => {
    const user = await createUser(app);
    const older = await requestReset(user);
    const newer = await requestReset(user);
    expect((await validate(older)).json).toBe(false);
    expect((await reset(older)).json).toEqual(invalid);
    expect((await reset(newer)).status).toBe(200);
  });

  test("stays valid after a check and after a rejected password", async () => {
    const user = await createUser(app, { lastName: "Lovelace" });
    const secret = await requestReset(user);
    const refused = [
      ["short1", "Password must have at least 8 characters."],
      ["no-number-here", "Must have a number."],
      ["password1", "This password is one of the first that attackers try. Please choose one that is harder to guess."],
      [
        "Lovelace1815",
        "Your name, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.",
      ],
      ["a1".repeat(500), "Password must have at most 128 characters."],
    ];
    for (const [password, message] of refused) {
      const { status, json } = await reset(secret, { password, confirmPassword: password });
      expect([status, json]).toEqual([400, { password: [message] }]);
    }
    expect((await reset(secret, { confirmPassword: "another-1" })).json).toEqual({
      confirmPassword: ["Passwords must match"],
    });
    expect((await validate(secret)).json).toBe(true);
    expect((await reset(secret)).status).toBe(200);
  });

  test("is invalid for an archived account or a replaced address", async () => {
    for (const change of [{ archivedAt: app.clock.now() }, { email: "moved@example.com" }]) {
      const user = await createUser(app);
      const secret = await requestReset(user);
      await app.context().em.nativeUpdate(User, { id: user.id }, change);
      expect((await validate(secret)).json).toBe(false);
      expect((await reset(secret)).json).toEqual(invalid);
    }
  });

  test("can't be replaced by, or used as, a confirmation link", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    await app.rest("POST", `/v1/core/accounts/resend-confirmation-email/${user.confirmationHandle}`);
    const confirmation = await findEmailedSecret(app, user.email);
    expect((await reset(confirmation)).json).toEqual(invalid);
    const secret = await requestReset(user);
    const confirmed = await app.rest("POST", "/v1/core/accounts/confirm-email", {
      body: { confirmationToken: secret },
    });
    expect(confirmed.status).toBe(400);
    expect((await validate(secret)).json).toBe(true);
  });

  test.each(["x", "", "x".repeat(201), "%00", "1' or '1'='1", 7, null, { $ne: 1 }])(
    "is rejected with the token %j",
    async (secret) => {
      const answer = await validate(secret);
      if (answer.status === 200) expect(answer.json).toBe(false);
      else expect([answer.status, Object.keys(answer.json)]).toEqual([400, ["resetToken"]]);
      expect((await reset(secret)).status).toBe(400);
    },
  );

  test("is invalid with a truncated token and stays valid with the full one", async () => {
    const secret = await requestReset(await createUser(app));
    expect((await validate(secret.slice(0, -1))).json).toBe(false);
    expect((await reset(secret.slice(0, -1))).json).toEqual(invalid);
    expect((await validate(secret)).json).toBe(true);
  });

  test("works the same over GraphQL", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const mutation =
      "mutation R($input: ResetPasswordInput!) { resetPassword(input: $input) { session { accessToken } } }";
    const input = { password: newPassword, confirmPassword: newPassword, resetToken: await requestReset(user) };
    const { data } = await app.graphql(mutation, { input });
    expect((await me(data.resetPassword.session.accessToken)).data.me.email).toBe(user.email);
    expect((await me(token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
    expect((await app.graphql(mutation, { input })).errors?.[0]?.extensions.fields).toEqual(invalid);
  });
});
