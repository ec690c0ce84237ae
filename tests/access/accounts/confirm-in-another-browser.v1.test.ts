import { expect, test } from "vitest";
import { createAccountCalls } from "#tests/factories/account.ts";
import { buildRegistration, testPassword } from "#tests/factories/user.ts";
import { findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ trustedProxies: ["loopback"] });
const calls = createAccountCalls(app);
const browser = { "sec-fetch-site": "same-origin", "user-agent": "Chrome" };
const newPassword = { password: "Owner-sets-it-1", confirmPassword: "Owner-sets-it-1" };

/** Registers an address and returns the cookie that the browser keeps. */
async function register(headers: Record<string, string> = {}, changes: Record<string, unknown> = {}) {
  const body = buildRegistration(changes);
  const { status, headers: answered } = await app.rest("POST", "/v1/core/accounts", { body, headers });
  expect(status).toBe(200);
  const [cookie = ""] = answered.getSetCookie();
  expect(cookie).toMatch(/^registration=[\w-]{43}; .*HttpOnly; SameSite=Strict/);
  return { email: body.email as string, cookie: cookie.split(";")[0] ?? "" };
}

const confirm = async (email: string, body: object = {}, headers: Record<string, string> = {}) =>
  app.rest("POST", "/v1/core/accounts/confirm-email", {
    body: { confirmationToken: await findEmailedSecret(app, email), ...body },
    headers,
  });

const confirmOnPage = async (email: string, variables: object = {}, headers: Record<string, string> = browser) =>
  app.rest("POST", "/graphql", {
    body: {
      query:
        "mutation ($t: String!, $password: String, $confirmPassword: String) { confirmEmail(confirmationToken: $t, password: $password, confirmPassword: $confirmPassword) { session { accessToken } startsTrial } }",
      variables: { t: await findEmailedSecret(app, email), ...variables },
    },
    headers,
  });

const signIn = async (email: string, password = testPassword) => (await calls.signIn(email, password)).status;

test("keeps the password in the browser that registered, and for a program at the IP address that registered", async () => {
  const { email, cookie } = await register(browser);
  const { json } = await confirmOnPage(email, {}, { ...browser, cookie });
  expect(json.data.confirmEmail.session.accessToken).toEqual(expect.any(String));
  expect(await signIn(email)).toBe(200);
  const program = await register();
  expect((await confirm(program.email)).status).toBe(200);
  expect(await signIn(program.email)).toBe(200);
});

test("requires a password in another browser, and the registered one stops working", async () => {
  const { email } = await register();
  expect((await confirmOnPage(email)).json.errors[0].extensions.fields).toEqual({
    password: ["Type your password again, or choose a new one."],
  });
  // Also with the cookie of another registration.
  const other = await register(browser);
  expect((await confirmOnPage(email, {}, { ...browser, cookie: other.cookie })).json.errors).toHaveLength(1);
  // A copied password may have an invisible character that the repeated one hasn't.
  const { json } = await confirmOnPage(email, { ...newPassword, password: `${newPassword.password}\u200b` });
  expect(json.data.confirmEmail.session.accessToken).toEqual(expect.any(String));
  expect([await signIn(email), await signIn(email, newPassword.password)]).toEqual([400, 200]);
  // It may be the same password.
  await confirmOnPage(other.email, { password: testPassword, confirmPassword: testPassword });
  expect(await signIn(other.email)).toBe(200);
});

test("says in any browser whether the account was registered to start a trial", async () => {
  for (const trialIntent of [true, false]) {
    const { email } = await register({}, { trialIntent });
    expect((await confirmOnPage(email, newPassword)).json.data.confirmEmail.startsTrial).toBe(trialIntent);
  }
});

test("confirms for a program elsewhere without a password, but nobody knows the password then", async () => {
  const { email } = await register({ "x-forwarded-for": "203.0.113.7" });
  expect((await confirm(email, {}, { "x-forwarded-for": "198.51.100.1" })).json).toHaveProperty("access_token");
  expect(await signIn(email)).toBe(400);
});

test("validates a password that is sent with the token", async () => {
  const { email } = await register();
  expect((await confirm(email, { password: "short" })).json).toHaveProperty("password");
  expect((await confirm(email, { password: newPassword.password })).json).toHaveProperty("confirmPassword");
  expect((await confirm(email, { ...newPassword })).status).toBe(200);
  expect(await signIn(email, newPassword.password)).toBe(200);
});
