import { describe, expect, test } from "vitest";
import { createAdmin, createCorporateUser, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const newPassword = "Gantt-charts-44";

const change = (token: string, changes: Record<string, unknown> = {}) =>
  app.rest("POST", "/v1/core/accounts/password/change", {
    token,
    body: { existingPassword: testPassword, password: newPassword, confirmPassword: newPassword, ...changes },
  });
const signIn = (UserName: string, Password: string) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const me = (token: string) => app.graphql("{ me { id } }", {}, token);

describe("changing a password", () => {
  test.each([
    ["regular", createUser],
    ["corporate", createCorporateUser],
    ["admin", createAdmin],
  ])("keeps the current session of %s users, ends the others and notifies the owner", async (_, create) => {
    const user = await create(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    const answer = await change(here);
    expect([answer.status, answer.text]).toEqual([200, "true"]);
    expect((await me(here)).data.me.id).toBe(user.id);
    expect((await me(elsewhere)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
    expect((await signIn(user.email, testPassword)).json).toHaveProperty("invalid_grant");
    expect((await signIn(user.email, newPassword)).status).toBe(200);
    const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "Your password for XER Solutions was changed")).toHaveLength(1);
  });

  test("keeps other users' sessions", async () => {
    const other = await signInAs(app, await createUser(app));
    await change(await signInAs(app, await createUser(app)));
    expect((await me(other)).errors).toBeUndefined();
  });

  test("invalidates a reset link that was sent earlier", async () => {
    const user = await createUser(app);
    await app.rest("PATCH", `/v1/core/accounts/${encodeURIComponent(user.email)}/password/reset/request`);
    const resetToken = await findEmailedSecret(app, user.email);
    await change(await signInAs(app, user));
    const { json } = await app.rest("POST", "/v1/core/accounts/token/validate", { body: { resetToken } });
    expect(json).toBe(false);
  });

  test("rejects a wrong existing password and says what to do", async () => {
    const user = await createUser(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    const { status, json } = await change(here, { existingPassword: "Wrong-pass-1" });
    expect([status, json]).toEqual([
      400,
      {
        existingPassword: ["This is not your existing password. Check it, or sign out and choose Forgot Password."],
      },
    ]);
    expect((await me(elsewhere)).errors).toBeUndefined();
    expect((await signIn(user.email, testPassword)).status).toBe(200);
    const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("password"))).toEqual([]);
  });

  test.each([
    ["existingPassword", "", "Existing password is required."],
    ["existingPassword", { $ne: 1 }, "Must be text."],
    ["existingPassword", "x1".repeat(501), "Password is too long."],
    ["password", "", "Password is required."],
    ["password", "short1", "Password must have at least 8 characters."],
    ["password", "no-number-here", "Must have a number."],
    ["password", "12345678", "This password is one of the first that attackers try."],
    ["password", "Byron-1815", "Your name, your email address and our name are easy to guess"],
    ["confirmPassword", "Another-pass-1", "Passwords must match"],
  ])("rejects %s = %j", async (field, value, message) => {
    const user = await createUser(app);
    const confirm = field === "password" ? { confirmPassword: value } : {};
    const { status, json } = await change(await signInAs(app, user), { [field]: value, ...confirm });
    expect(status).toBe(400);
    expect(json[field].join(" ")).toContain(message);
    expect((await signIn(user.email, testPassword)).status).toBe(200);
  });

  test("works the same over GraphQL", async () => {
    const user = await createUser(app);
    const [here, elsewhere] = [await signInAs(app, user), await signInAs(app, user)];
    const mutation = "mutation C($input: ChangePasswordInput!) { changePassword(input: $input) }";
    const input = { existingPassword: "Wrong-pass-1", password: newPassword, confirmPassword: newPassword };
    const wrong = await app.graphql(mutation, { input }, here);
    expect(Object.keys(wrong.errors?.[0]?.extensions.fields ?? {})).toEqual(["existingPassword"]);
    const right = await app.graphql(mutation, { input: { ...input, existingPassword: testPassword } }, here);
    expect(right.data).toEqual({ changePassword: true });
    expect((await me(elsewhere)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });
});
