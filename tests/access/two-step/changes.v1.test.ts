import { createContext } from "#api/platform/context.ts";
import { describe, expect, test } from "vitest";
import { TwoStepChallenge } from "#api/access/two-step/two-step-challenge.entity.ts";
import { completeSignIn } from "#api/access/two-step/complete-sign-in.ts";
import { resealAppSecrets } from "#api/access/two-step/reseal-app-secrets.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { type EncryptionJwk, generateEncryptionJwk, toEncryptionKeys } from "#api/platform/encryption-keys.ts";
import { addAuthenticator, createAppCode, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);

const wrongCode = "That code is incorrect or already used. Wait for the next code and try again.";

const state = async (token: string) =>
  (
    await app.graphql(
      "{ twoStepSignIn { onSince isRequired appAddedAt recoveryCodesLeft passkeys { name } } }",
      {},
      token,
    )
  ).data.twoStepSignIn;
const change = (mutation: string, token: string, proof: object) =>
  app.graphql(`mutation ($proof: IdentityProofInput!) { ${mutation}(proof: $proof) }`, { proof }, token);

describe("changing two-step sign-in", () => {
  test.each(["turnOffTwoStepSignIn", "removeAuthenticatorApp", "renewRecoveryCodes"])(
    "%s requires the password and a code",
    async (mutation) => {
      const user = await createUser(app);
      const { token, secret } = await addAuthenticator(app, user);
      const getFieldErrors = async (proof: object) =>
        (await change(mutation, token, proof)).errors?.[0]?.extensions.fields;
      expect(await getFieldErrors({ password: "Wrong-pass-1", code: createAppCode(app, secret) })).toEqual({
        password: ["Your password is incorrect."],
      });
      expect(await getFieldErrors({ password: testPassword })).toEqual({ code: ["Code is required."] });
      expect(await getFieldErrors({ password: testPassword, code: "000000" })).toEqual({ code: [wrongCode] });
      expect((await state(token)).onSince).not.toBeNull();
      expect((await change(mutation, token, { password: testPassword, code: createAppCode(app, secret) })).errors).toBe(
        undefined,
      );
    },
  );

  test("deletes the app and codes when turned off, notifies the user and allows sign-in with only the password", async () => {
    const user = await createUser(app);
    const { token, recoveryCodes } = await addAuthenticator(app, user);
    await change("turnOffTwoStepSignIn", token, { password: testPassword, code: recoveryCodes[0] });
    expect(await state(token)).toMatchObject({ onSince: null, appAddedAt: null, recoveryCodesLeft: 0 });
    expect((await listEmailsTo(app, user.email)).map(({ subject }) => subject)).toContain(
      "Two-step sign-in was turned off at XER Solutions",
    );
    const { status } = await app.rest("POST", "/v1/core/auth/token", {
      body: { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" },
    });
    expect(status).toBe(200);
  });

  test("turns off when the last method is removed", async () => {
    const user = await createUser(app);
    const { token, secret } = await addAuthenticator(app, user);
    await change("removeAuthenticatorApp", token, { password: testPassword, code: createAppCode(app, secret) });
    expect(await state(token)).toMatchObject({ onSince: null, recoveryCodesLeft: 0 });
  });

  test("replaces the old recovery codes with new ones", async () => {
    const user = await createUser(app);
    const { token, secret, recoveryCodes } = await addAuthenticator(app, user);
    const proof = { password: testPassword, code: createAppCode(app, secret) };
    const fresh = (await change("renewRecoveryCodes", token, proof)).data.renewRecoveryCodes as string[];
    expect(fresh).toHaveLength(10);
    expect((await sendSecondStep(app, await sendFirstStep(app, user), recoveryCodes[0] ?? "")).status).toBe(400);
    expect((await sendSecondStep(app, await sendFirstStep(app, user), fresh[0] ?? "")).status).toBe(200);
  });

  test("replaces the app once the new one's first code is confirmed", async () => {
    const user = await createUser(app);
    const first = await addAuthenticator(app, user);
    const second = await addAuthenticator(app, user, { code: createAppCode(app, first.secret) });
    expect(second.recoveryCodes).toEqual([]);
    expect((await sendSecondStep(app, await sendFirstStep(app, user), createAppCode(app, first.secret))).status).toBe(
      400,
    );
    expect((await sendSecondStep(app, await sendFirstStep(app, user), createAppCode(app, second.secret))).status).toBe(
      200,
    );
  });
});

describe("stored two-step data", () => {
  test("is exported without secrets and deleted with the account", async () => {
    const user = await createUser(app);
    const { token, secret, recoveryCodes } = await addAuthenticator(app, user);
    const { json, text } = await app.rest("GET", "/v1/core/accounts/my-data", { token });
    expect(json.twoStepSignIn).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
    expect(json.twoStepSignIn.authenticatorAppAddedAt).toMatch(/Z$/);
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map(hashSecret)])
      expect(text).not.toContain(hidden);
    await sendFirstStep(app, user);
    const deletion = "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) }";
    await app.graphql(deletion, { input: { password: testPassword } }, token);
    for (const table of ["authenticator_apps", "passkeys", "recovery_codes", "two_step_challenges"]) {
      const { rows } = await app.services.pool.query(`select from ${table} where user_id = $1`, [user.id]);
      expect(rows, table).toEqual([]);
    }
  });

  test("is cleared of challenges a day after they expire", async () => {
    const user = await createUser(app);
    await addAuthenticator(app, user);
    await sendFirstStep(app, user);
    const count = async () => em().count(TwoStepChallenge, { user: user.id });
    await runSweep(app.services, findPurge("two-step-challenges"));
    expect(await count()).toBe(1);
    wait(DAY + 6 * MINUTE);
    await runSweep(app.services, findPurge("two-step-challenges"));
    expect(await count()).toBe(0);
  });

  test("is sealed again with a new encryption key while the old one is still listed", async () => {
    const user = await createUser(app);
    const { secret } = await addAuthenticator(app, user);
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
