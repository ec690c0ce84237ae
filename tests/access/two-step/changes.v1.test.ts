import { createContext } from "#api/platform/context.ts";
import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-methods.entity.ts";
import { completeSignIn } from "#api/access/two-step/complete-sign-in.ts";
import { resealAppSecrets } from "#api/access/two-step/second-factor.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { type EncryptionJwk, generateEncryptionJwk, toEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import {
  addAuthenticator,
  createAppCode,
  loadTwoStep,
  sendFirstStep,
  sendSecondStep,
  createTwoStepUser,
  signInWithCode,
} from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs, testPassword, createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { isSignedIn, listSubjects, signIn } = createAccountCalls(app);
const em = () => app.services.orm.em.fork();
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);

const wrongCode = "That code is incorrect or already used. Wait for the next code and try again.";

const change = (mutation: string, token: string, proof: object) =>
  app.graphql(
    `${mutation} { ${mutation === "renewRecoveryCodes" ? "codes state { onSince }" : "onSince"} }`,
    { proof },
    token,
  );

describe("changing two-step sign-in", () => {
  test("requires the password and a code for every change", async () => {
    for (const mutation of ["turnOffTwoStepSignIn", "removeAuthenticatorApp", "renewRecoveryCodes"]) {
      const { token, secret } = await addAuthenticator(app, await createUser(app));
      const code = createAppCode(app, secret);
      for (const [proof, fields] of [
        [{ password: "Wrong-pass-1", code }, { password: ["Your password is incorrect."] }],
        [{ password: testPassword }, { code: ["Code is required."] }],
        [{ password: testPassword, code: "000000" }, { code: [wrongCode] }],
        [{ password: testPassword, code }, undefined],
      ] as const) {
        expect((await loadTwoStep(app, token)).onSince).not.toBeNull();
        expect((await change(mutation, token, proof)).errors?.[0]?.extensions.fields, mutation).toEqual(fields);
      }
    }
  });

  test("deletes the app and codes when turned off, notifies the user and allows sign-in with only the password", async () => {
    const { user, token, recoveryCodes } = await createTwoStepUser(app);
    await change("turnOffTwoStepSignIn", token, { password: testPassword, code: recoveryCodes[0] });
    expect(await loadTwoStep(app, token)).toMatchObject({ onSince: null, appAddedAt: null, recoveryCodesLeft: 0 });
    expect(await listSubjects(user.email)).toContain("Two-step sign-in was turned off at Planvarro Software");
    expect((await signIn(user.email)).status).toBe(200);
  });

  test("replaces the old recovery codes with new ones", async () => {
    const { user, token, secret, recoveryCodes } = await createTwoStepUser(app);
    const proof = { password: testPassword, code: createAppCode(app, secret) };
    const fresh = (await change("renewRecoveryCodes", token, proof)).data.renewRecoveryCodes.codes as string[];
    expect(fresh).toHaveLength(10);
    expect((await signInWithCode(app, user, recoveryCodes[0] ?? "")).status).toBe(400);
    expect((await signInWithCode(app, user, fresh[0] ?? "")).status).toBe(200);
  });

  test("replaces the app once the new one's first code is confirmed", async () => {
    const user = await createUser(app);
    const first = await addAuthenticator(app, user);
    const second = await addAuthenticator(app, user, { code: createAppCode(app, first.secret) });
    expect(second.recoveryCodes).toEqual([]);
    expect((await signInWithCode(app, user, createAppCode(app, first.secret))).status).toBe(400);
    expect((await signInWithCode(app, user, createAppCode(app, second.secret))).status).toBe(200);
  });
});

describe("stored two-step data", () => {
  test("is exported without secrets and deleted with the account", async () => {
    const { user, token, secret, recoveryCodes } = await createTwoStepUser(app);
    const { json, text } = await app.rest("GET", "/v1/core/accounts/my-data", { token });
    expect(json.twoStepSignIn).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
    expect(json.twoStepSignIn.authenticatorAppAddedAt).toMatch(/Z$/);
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map(hashSecret)])
      expect(text).not.toContain(hidden);
    await sendFirstStep(app, user);
    await app.graphql("deleteMyAccount { id }", { input: { password: testPassword } }, token);
    for (const table of ["authenticator_apps", "passkeys", "recovery_codes", "two_step_challenges"]) {
      const { rows } = await app.services.pool.query(`select from ${table} where user_id = $1`, [user.id]);
      expect(rows, table).toEqual([]);
    }
  });

  test("is cleared of challenges a day after they expire", async () => {
    const { user } = await createTwoStepUser(app);
    await sendFirstStep(app, user);
    const count = async () => em().count(TwoStepChallenge, { user: user.id });
    await runSweep(app.services, findPurge("two-step-challenges"));
    expect(await count()).toBe(1);
    wait(DAY + 6 * MINUTE);
    await runSweep(app.services, findPurge("two-step-challenges"));
    expect(await count()).toBe(0);
  });

  test("is sealed again with a new encryption key while the old one is still listed", async () => {
    const { user, secret } = await createTwoStepUser(app);
    const { kid, key } = app.services.encryptionKeys.current;
    const old: EncryptionJwk = { kty: "oct", kid, k: key.export().toString("base64url") };
    const fresh = generateEncryptionJwk();
    const load = (...keys: EncryptionJwk[]) => toEncryptionKeys(keys, app.services.keys);
    await runSweep({ ...app.services, encryptionKeys: load(fresh, old) }, resealAppSecrets);
    const challenge = await sendFirstStep(app, user);
    // Remove the old key for this call.
    const context = createContext({ ...app.services, encryptionKeys: load(fresh) });
    const outcome = await completeSignIn(context, { challenge, code: createAppCode(app, secret) }, "portal");
    expect(outcome.kind).toBe("signed-in");
    // Restore it for the following tests.
    await runSweep({ ...app.services, encryptionKeys: load(old, fresh) }, resealAppSecrets);
  });
});

const reason = "Phone and laptop stolen, called back on the number of the contract";
const clear = (userId: string, token?: string, input: object = { reason, isIdentityChecked: true }) =>
  app.graphql("clearTwoStepSignIn { wasOn user { id twoStepSince } }", { userId, input }, token);
const cleared = { clearTwoStepSignIn: { wasOn: true, user: { twoStepSince: null } } };
const adminToken = async () => signInAs(app, await createAdmin(app));
const loadAuditEntries = (userId: string) => em().find(AuditEntry, { userId, action: "clear-two-step" });

describe("clearing a user's two-step sign-in", () => {
  test("deletes the app and codes, ends every session and sign-in, emails the user and records the reason", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    const { user, token: own, secret, recoveryCodes } = await createTwoStepUser(app);
    const challenge = await sendFirstStep(app, user);

    const shown = await app.graphql("user { twoStepSince }", { id: user.id }, token);
    expect(shown.data.user.twoStepSince).toMatch(/^\d{4}-/);
    expect((await clear(user.id, token)).data).toMatchObject(cleared);
    expect(await isSignedIn(own)).toBe(false);
    expect((await sendSecondStep(app, challenge, createAppCode(app, secret))).status).toBe(400);

    const again = await signIn(user.email);
    expect(again.status).toBe(200);
    const off = { onSince: null, appAddedAt: null, recoveryCodesLeft: 0 };
    expect(await loadTwoStep(app, again.json.access_token)).toMatchObject(off);

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

  test("works for another admin's account but not for the caller's own", async () => {
    const lost = await createAdmin(app);
    const { token } = await addAuthenticator(app, lost);
    const own = await clear(lost.id.toUpperCase(), token);
    expect(own.errors?.[0]).toMatchObject({
      message: "You can't clear your own two-step sign-in. Change it under Two-step sign-in, or contact another admin.",
      extensions: { code: "CONFLICT" },
    });
    expect(await isSignedIn(token)).toBe(true);
    expect((await clear(lost.id, await adminToken())).data).toMatchObject(cleared);
    expect(await isSignedIn(token)).toBe(false);
  });

  test("does nothing if it is off", async () => {
    const { user, token: own } = await createSignedIn(app);
    expect((await clear(user.id, await adminToken())).data).toMatchObject({ clearTwoStepSignIn: { wasOn: false } });
    expect(await isSignedIn(own)).toBe(true);
    expect(await listEmailsTo(app, user.email)).toEqual([]);
    expect(await loadAuditEntries(user.id)).toEqual([]);
  });

  test("takes effect once if two admins do it at the same time", async () => {
    const { user } = await createTwoStepUser(app);
    const tokens = [await adminToken(), await adminToken()];
    const answers = await Promise.all(tokens.map((token) => clear(user.id, token)));
    expect(answers.filter(({ data }) => data.clearTwoStepSignIn.wasOn)).toHaveLength(1);
    expect(await loadAuditEntries(user.id)).toHaveLength(1);
  });

  test("requires a reason and an identity check", async () => {
    const user = await createUser(app);
    const admin = await adminToken();
    for (const [input, fields] of [
      [{ reason: " " }, { reason: ["Reason is required.", "Reason is too short."] }],
      [{ reason: "too short" }, { reason: ["Reason is too short."] }],
      [{ reason: "x".repeat(501) }, { reason: ["Reason is too long."] }],
      [{ isIdentityChecked: false }, { isIdentityChecked: ["Please verify the user's identity first."] }],
      [{ reason: `${reason}\u0000` }, { reason: ["Contains characters that are not allowed."] }],
    ] as const) {
      const { errors } = await clear(user.id, admin, { reason, isIdentityChecked: true, ...input });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", fields });
    }
  });
});
