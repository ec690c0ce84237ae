import { expect, test } from "vitest";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAccountCalls, freshEmail, getErrorCode } from "#tests/factories/account.ts";
import {
  addAuthenticator,
  advanceToNextCode,
  createAppCode,
  createTwoStepUser,
  signInWithCode,
} from "#tests/factories/two-step.ts";
import { buildRegistration, createUser, expireProof, signInAs, testPassword } from "#tests/factories/user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });
const { changeUnconfirmedEmail, register } = createAccountCalls(app);

/** Signs in with a code. Clears the limits on password attempts, which other tests cover. */
async function tryCode(user: User, code: string) {
  await app.services.pool.query("delete from rate_limits where key like 'signIn%' or key like 'existingPassword%'");
  return signInWithCode(app, user, code);
}

test("limits wrong codes to ten an hour across all sign-ins and sessions and reports when to try again", async () => {
  const { user, secret, token } = await createTwoStepUser(app);
  const turnOff = (code: string) =>
    app.graphql("turnOffTwoStepSignIn { onSince }", { proof: { password: testPassword, code } }, token);
  for (let n = 0; n < 8; n++) expect((await tryCode(user, "000000")).status).toBe(400);
  for (let n = 0; n < 2; n++) expect(getErrorCode(await turnOff("000000"))).toBe("BAD_USER_INPUT");
  const refused = await tryCode(user, createAppCode(app, secret));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect(refused.json.Message).toMatch(/^Too many wrong codes\. Please try again in (59|60) minutes\.$/);
  expect(getErrorCode(await turnOff(createAppCode(app, secret)))).toBe("RATE_LIMITED");
});

test("doesn't count correct codes or other users' wrong codes", async () => {
  const { user, recoveryCodes } = await createTwoStepUser(app);
  for (const code of recoveryCodes) expect((await tryCode(user, code)).status).toBe(200);
  for (let n = 0; n < 10; n++) expect((await tryCode(user, "000000")).status).toBe(400);
  const { user: other, secret } = await createTwoStepUser(app);
  expect((await tryCode(other, createAppCode(app, secret))).status).toBe(200);
});

test("refuses a wrong password or code as a proof, and limits attempts to fewer than 12", async () => {
  for (const body of [{ password: "Wrong-pass-1" }, { code: "000000" }]) {
    const user = await createUser(app);
    const token = "code" in body ? (await addAuthenticator(app, user)).token : await signInAs(app, user);
    await expireProof(app, user);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await app.rest("POST", "/v1/core/auth/prove", { body, token })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    const input = { name: "Export", scopes: ["PROFILE_READ"], expiresInDays: 30 };
    expect(getErrorCode(await app.graphql("createPersonalAccessToken { token { id } }", { input }, token))).toBe(
      "STEP_UP_REQUIRED",
    );
  }
});

test("doesn't count a right password without a code as a wrong code", async () => {
  const { user, token, secret } = await createTwoStepUser(app);
  const prove = (body: object) => app.rest("POST", "/v1/core/auth/prove", { body, token });
  for (let n = 0; n < 11; n++)
    expect((await prove({ password: testPassword })).json).toEqual({ code: ["Code is required."] });
  expect((await prove({ code: createAppCode(app, secret) })).status).toBe(200);
  advanceToNextCode(app);
  expect((await tryCode(user, createAppCode(app, secret))).status).toBe(200);
});

test("counts the emails of a registration under its handle, even if that is written in capitals", async () => {
  const { json: handle } = await register(buildRegistration());
  for (const userId of [handle, handle, handle])
    expect((await changeUnconfirmedEmail(userId, freshEmail())).status).toBe(200);
  expect((await changeUnconfirmedEmail(handle.toUpperCase(), freshEmail())).status).toBe(429);
});

test("limits a user's tokens to 600 calls a minute across both APIs, without affecting the portal or other users", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  const tokens = [
    await createTokenWithScopes(app, user, ["profile:read", "licences:read"]),
    await createTokenWithScopes(app, user, ["profile:read", "licences:read"]),
  ] as const;
  const session = await signInAs(app, user);
  const { pool, rateLimits } = app.services;
  await rateLimits.take("personalAccessToken", user.id);
  await pool.query("update rate_limits set points = 598 where key like 'personalAccessToken:%'");
  const rest = (token: string, id = user.id) => app.rest("GET", `/v1/licence/${id}`, { token });
  const graphql = (token: string) => app.graphql("me { id }", {}, token);
  expect((await rest(tokens[0])).status).toBe(200);
  expect((await graphql(tokens[1])).status).toBe(200);
  for (const token of tokens) {
    const refused = await rest(token);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await graphql(token)).status).toBe(429);
    // The limit also rejects a call beyond the token's scopes, before the scopes are checked.
    expect((await app.rest("GET", "/v1/promoCode", { token })).status).toBe(429);
  }
  expect((await graphql(session)).status).toBe(200);
  expect((await rest(session)).status).toBe(200);
  expect((await rest(await createTokenWithScopes(app, other, ["licences:read"]), other.id)).status).toBe(200);
});
