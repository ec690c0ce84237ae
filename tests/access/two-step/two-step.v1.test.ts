import { describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { RecoveryCode, AuthenticatorApp } from "#api/access/two-step/two-step-methods.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import {
  addAuthenticator,
  createAppCode,
  sendFirstStep,
  advanceToNextCode,
  loadTwoStep,
  sendSecondStep,
  createTwoStepUser,
  signInWithCode,
} from "#tests/factories/two-step.ts";
import { createSignedIn, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { changePassword, isSignedIn, loadMe, refresh, requestResetToken, resetPassword, signIn, updateProfile } =
  createAccountCalls(app);
const em = () => app.services.orm.em.fork();
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);

const wrongCode = "That code is incorrect or already used. Wait for the next code and try again.";
const ended = "Your sign-in has taken too long or too many attempts. Please sign in again.";

describe("turning two-step sign-in on", () => {
  test("requires the password and the app's first code, returns ten recovery codes and notifies the owner", async () => {
    const { user, token: other } = await createSignedIn(app);
    const { token, secret, uri, recoveryCodes } = await addAuthenticator(app, user);
    expect(uri).toContain(`secret=${secret}`);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await loadTwoStep(app, token)).toMatchObject({ recoveryCodesLeft: 10, isRequired: false, passkeys: [] });
    expect((await loadTwoStep(app, token)).onSince).toMatch(/Z$/);
    // The user's sessions stay open.
    expect(await isSignedIn(other)).toBe(true);
    expect((await listEmailsTo(app, user.email))[0]?.subject).toBe(
      "Two-step sign-in was turned on at Planvarro Software",
    );
    const [stored] = await em().find(AuthenticatorApp, { user: user.id });
    expect(stored?.secret).toMatch(/^v2\./);
    expect(JSON.stringify(stored)).not.toContain(secret);
    const hashes = (await em().find(RecoveryCode, { user: user.id })).map(({ codeHash }) => codeHash);
    expect(hashes.toSorted()).toEqual(recoveryCodes.map(hashSecret).toSorted());
  });

  test("rejects a wrong password and a wrong first code", async () => {
    const { user, token } = await createSignedIn(app);
    const begin = (password: string) => app.graphql("beginAuthenticatorApp { secret }", { proof: { password } }, token);
    const confirm = async (code: string, as = token) =>
      (await app.graphql("confirmAuthenticatorApp { codes }", { input: { code } }, as)).errors?.[0]?.extensions.fields;
    const expired = { code: ["This setup has expired. Start again."] };
    const refused = await begin("Wrong-pass-1");
    expect(refused.errors?.[0]?.extensions.fields).toEqual({ password: ["Your password is incorrect."] });
    expect(await confirm("123456")).toEqual(expired);
    const { secret } = (await begin(testPassword)).data.beginAuthenticatorApp;
    expect(await confirm(createAppCode(app, secret, 9))).toEqual({ code: [wrongCode] });
    expect((await loadTwoStep(app, token)).onSince).toBeNull();
    // Sign-in doesn't require a code until the authenticator app has been confirmed.
    expect((await signIn(user.email)).status).toBe(200);
    wait(16 * MINUTE);
    expect(await confirm(createAppCode(app, secret), await signInAs(app, user))).toEqual(expired);
  });
});

describe("signing in", () => {
  test("returns a challenge after the password and a session after the code", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const first = await signIn(user.email, testPassword, "addin");
    expect(first.status).toBe(400);
    expect(Object.keys(first.json)).toEqual(["two_step_required"]);
    const challenge = first.json.two_step_required[0];
    // Another client can't complete the sign-in.
    const refused = { invalid_grant: [ended] };
    expect((await sendSecondStep(app, challenge, createAppCode(app, secret), "portal")).json).toEqual(refused);
    const second = await sendSecondStep(app, challenge, createAppCode(app, secret), "addin");
    expect(second.status).toBe(200);
    expect(Object.keys(second.json)).toEqual(["access_token", "refresh_token", "expires_in"]);
    expect((await loadMe(second.json.access_token)).data.me.id).toBe(user.id);
    // Refreshing needs no further proof.
    expect((await refresh(second.json.refresh_token, "addin")).status).toBe(200);
    expect((await sendSecondStep(app, challenge, createAppCode(app, secret, 1), "addin")).json).toEqual(refused);
  });

  test("reveals nothing about the second step after a wrong password", async () => {
    const { user } = await createTwoStepUser(app);
    expect(Object.keys((await signIn(user.email, "Wrong-pass-1")).json)).toEqual(["invalid_grant"]);
  });

  test("returns the methods, a session, and errors for wrong codes and ended challenges over GraphQL", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const input = { email: user.email, password: testPassword };
    const outcome = "session { accessToken } problem message";
    const fields = `${outcome} secondStep { challenge methods { app passkey } }`;
    const first = (await app.graphql(`signIn { ${fields} }`, { input })).data.signIn;
    expect(first).toMatchObject({
      session: null,
      problem: "TWO_STEP_REQUIRED",
      secondStep: { methods: { app: true, passkey: false } },
    });
    const complete = (input: object) => app.graphql(`completeSignIn { ${outcome} }`, { input });
    const answer = async (code: string) =>
      (await complete({ challenge: first.secondStep.challenge, code })).data.completeSignIn;
    expect(await answer("000000")).toEqual({ session: null, problem: "INVALID", message: wrongCode });
    expect((await answer(createAppCode(app, secret))).session.accessToken).toBeTruthy();
    expect(await answer(createAppCode(app, secret, 1))).toEqual({
      session: null,
      problem: "TWO_STEP_ENDED",
      message: ended,
    });
    const nothing = await complete({ challenge: "x" });
    expect(nothing.errors?.[0]?.extensions.fields).toEqual({ code: ["Code is required."] });
  });

  test("accepts a code once and then no earlier code", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const [earlier, now] = [createAppCode(app, secret, -1), createAppCode(app, secret)];
    expect((await signInWithCode(app, user, now)).status).toBe(200);
    for (const code of [now, earlier]) {
      const challenge = await sendFirstStep(app, user);
      const { status, json } = await sendSecondStep(app, challenge, code);
      expect([status, json]).toEqual([400, { invalid_grant: [wrongCode], two_step_required: [challenge] }]);
    }
    advanceToNextCode(app);
    expect((await signInWithCode(app, user, createAppCode(app, secret))).status).toBe(200);
  });

  test("ends the challenge after five minutes, after five wrong codes and when the account is archived", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const expectEnded = async (challenge: string) =>
      expect((await sendSecondStep(app, challenge, createAppCode(app, secret))).json).toEqual({
        invalid_grant: [ended],
      });
    const [early, late] = [await sendFirstStep(app, user), await sendFirstStep(app, user)];
    wait(4 * MINUTE);
    expect((await sendSecondStep(app, early, createAppCode(app, secret))).status).toBe(200);
    wait(MINUTE);
    await expectEnded(late);
    const guessed = await sendFirstStep(app, user);
    for (let n = 0; n < 5; n++)
      expect((await sendSecondStep(app, guessed, "00000x")).json.invalid_grant).toEqual([wrongCode]);
    await expectEnded(guessed);
    const open = await sendFirstStep(app, user);
    await em().nativeUpdate(User, { id: user.id }, { archivedAt: app.clock.now() });
    await expectEnded(open);
  });

  test("rejects unknown challenges and other users' codes", async () => {
    const [ada, eve] = [await createUser(app), await createUser(app)];
    const [adas, eves] = [await addAuthenticator(app, ada), await addAuthenticator(app, eve)];
    const challenge = await sendFirstStep(app, ada);
    expect((await sendSecondStep(app, challenge, createAppCode(app, eves.secret))).status).toBe(400);
    expect((await sendSecondStep(app, challenge, eves.recoveryCodes[0] ?? "")).status).toBe(400);
    for (const made of ["x", "", eves.token, "a".repeat(300)])
      expect((await sendSecondStep(app, made, createAppCode(app, adas.secret))).status).toBe(400);
    expect((await sendSecondStep(app, challenge, createAppCode(app, adas.secret))).status).toBe(200);
  });

  test("accepts a recovery code once in any notation and reports how many are left", async () => {
    const { user, recoveryCodes, token } = await createTwoStepUser(app);
    const code = recoveryCodes[3] ?? "";
    expect((await signInWithCode(app, user, code.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    const email = (await listEmailsTo(app, user.email)).find(({ subject }) =>
      subject.startsWith("A recovery code was used"),
    );
    expect(email?.text).toContain("You have 9 left.");
    expect((await signInWithCode(app, user, code)).status).toBe(400);
    expect((await loadTwoStep(app, token)).recoveryCodesLeft).toBe(9);
  });
});

describe("password and address changes", () => {
  test("end a sign-in that is waiting for the second step, which a password reset also requires", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const challenge = await sendFirstStep(app, user);
    const answer = await resetPassword(await requestResetToken(user));
    const refused = await sendSecondStep(app, challenge, createAppCode(app, secret));
    expect([refused.status, refused.json]).toEqual([400, { invalid_grant: [ended] }]);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json)).toEqual(["two_step_required"]);
    expect((await sendSecondStep(app, answer.json.two_step_required[0], createAppCode(app, secret))).status).toBe(200);
  });

  test("sign in nobody after a new address is confirmed, but apply the new address", async () => {
    const { user, token } = await createTwoStepUser(app);
    const email = `moved-${user.email}`;
    const profile = (await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { token })).json;
    await updateProfile(token, { ...profile, email });
    const confirmationToken = await findEmailedSecret(app, email);
    const fields = "session { accessToken } secondStep { challenge }";
    const answer = await app.graphql(`confirmEmail { ${fields} }`, { confirmationToken });
    expect(answer.data.confirmEmail).toEqual({ session: null, secondStep: null });
    expect((await loadMe(token)).data.me.email).toBe(email);
  });

  test("keep two-step sign-in turned on after a password change", async () => {
    const { token } = await createTwoStepUser(app);
    expect((await changePassword(token)).status).toBe(200);
    expect((await loadTwoStep(app, token)).onSince).not.toBeNull();
  });
});
