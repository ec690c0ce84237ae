import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { addAuthenticator, createAppCode, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const reason = "Phone and laptop stolen, called back on the number of the contract";

const clear = (userId: string, token?: string, input: object = { reason, isIdentityChecked: true }) =>
  app.graphql(
    "mutation ($userId: ID!, $input: ClearTwoStepInput!) { clearTwoStepSignIn(userId: $userId, input: $input) }",
    { userId, input },
    token,
  );
const adminToken = async () => signInAs(app, await createAdmin(app));
const isSignedIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const loadAuditEntries = (userId: string) =>
  app.services.orm.em.fork().find(AuditEntry, { userId, action: "clear-two-step" }, { orderBy: { at: "asc" } });
const signIn = (email: string) =>
  app.rest("POST", "/v1/core/auth/token", {
    body: { UserName: email, Password: testPassword, ClientId: "portal", GrantType: "password" },
  });

describe("clearing a user's two-step sign-in", () => {
  test("deletes the app and codes, ends every session, emails the user and records the reason", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    const user = await createUser(app);
    const { token: own, recoveryCodes } = await addAuthenticator(app, user);
    expect((await signIn(user.email)).status).toBe(400);

    const shown = await app.graphql(`{ user(id: "${user.id}") { twoStepSince } }`, {}, token);
    expect(shown.data.user.twoStepSince).toMatch(/^\d{4}-/);
    expect((await clear(user.id, token)).data).toEqual({ clearTwoStepSignIn: true });
    expect(await isSignedIn(own)).toBe(false);

    const again = await signIn(user.email);
    expect(again.status).toBe(200);
    const state = await app.graphql(
      "{ twoStepSignIn { onSince appAddedAt recoveryCodesLeft } }",
      {},
      again.json.access_token,
    );
    expect(state.data.twoStepSignIn).toEqual({ onSince: null, appAddedAt: null, recoveryCodesLeft: 0 });

    const [mail] = (await listEmailsTo(app, user.email)).filter(({ subject }) =>
      subject.startsWith("Our support team turned"),
    );
    expect(mail?.text).toContain("You are signed out everywhere");
    expect(mail?.text).toContain("If you didn't request this, change your password immediately");
    // The user's email must not contain the admin's reason.
    expect(mail?.text).not.toContain("stolen");
    const [entry, ...more] = await loadAuditEntries(user.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actorId: admin.id,
      before: { twoStepSince: shown.data.user.twoStepSince },
      after: { twoStepSince: null, reason, sessionsEnded: 1 },
    });
    expect(JSON.stringify(entry)).not.toContain(recoveryCodes[0]);
  });

  test("ends a pending second step", async () => {
    const user = await createUser(app);
    const { secret } = await addAuthenticator(app, user);
    const challenge = await sendFirstStep(app, user);
    await clear(user.id, await adminToken());
    expect((await sendSecondStep(app, challenge, createAppCode(app, secret))).status).toBe(400);
  });

  test("works for another admin's account but not for the caller's own", async () => {
    const lost = await createAdmin(app);
    const { token } = await addAuthenticator(app, lost);
    const own = await clear(lost.id.toUpperCase(), token);
    expect(own.errors?.[0]).toMatchObject({
      message: "You can't clear your own two-step sign-in. Change it under Two-step sign-in, or contact another admin.",
      extensions: { code: "CONFLICT" },
    });
    expect(await isSignedIn(token)).toBe(true);
    expect((await clear(lost.id, await adminToken())).data).toEqual({ clearTwoStepSignIn: true });
    expect(await isSignedIn(token)).toBe(false);
  });

  test("does nothing if it is off", async () => {
    const user = await createUser(app);
    const own = await signInAs(app, user);
    expect((await clear(user.id, await adminToken())).data).toEqual({ clearTwoStepSignIn: false });
    expect(await isSignedIn(own)).toBe(true);
    expect(await listEmailsTo(app, user.email)).toEqual([]);
    expect(await loadAuditEntries(user.id)).toEqual([]);
  });

  test("takes effect once if two admins do it at the same time", async () => {
    const user = await createUser(app);
    await addAuthenticator(app, user);
    const tokens = [await adminToken(), await adminToken()];
    const answers = await Promise.all(tokens.map((token) => clear(user.id, token)));
    expect(answers.filter(({ data }) => data.clearTwoStepSignIn === true)).toHaveLength(1);
    expect(answers.filter(({ data }) => data.clearTwoStepSignIn === false)).toHaveLength(1);
    expect(await loadAuditEntries(user.id)).toHaveLength(1);
  });

  test.each([
    [{ reason: " ", isIdentityChecked: true }, { reason: ["Reason is required.", "Reason is too short."] }],
    [{ reason: "too short", isIdentityChecked: true }, { reason: ["Reason is too short."] }],
    [{ reason: "x".repeat(501), isIdentityChecked: true }, { reason: ["Reason is too long."] }],
    [{ reason, isIdentityChecked: false }, { isIdentityChecked: ["Please verify the user's identity first."] }],
    [{ reason: `${reason}\u0000`, isIdentityChecked: true }, { reason: ["Contains characters that are not allowed."] }],
  ])("rejects %j", async (input, fields) => {
    const user = await createUser(app);
    const { errors } = await clear(user.id, await adminToken(), input);
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", fields });
  });

  test("rejects customers and returns the same response for unknown and malformed ids", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    expect((await clear(user.id, token)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
    expect((await app.graphql("{ me { twoStepSince } }", {}, token)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
    const admin = await adminToken();
    for (const id of ["00000000-0000-4000-8000-000000000000", "x", "\u0000"])
      expect((await clear(id, admin)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
