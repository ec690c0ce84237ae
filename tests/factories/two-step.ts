import { generateSync } from "otplib";
import type { User } from "#api/people/users/user.entity.ts";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { createAccountCalls } from "./account.ts";
import { createUser, signInAs, testPassword } from "./user.ts";

/** Returns the code of an authenticator app with this secret, now or `steps` of 30 seconds later. */
export const createAppCode = (test: TestApp, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: toEpochSeconds(test.clock.now()) + steps * 30 });

/** Moves the clock to the next code. */
export function advanceToNextCode(test: TestApp): void {
  test.clock.setOffset(test.clock.offsetMs + 30_000);
}

/** Adds an authenticator app to a user and moves the clock to an unused code. */
export async function addAuthenticator(
  test: TestApp,
  user: User,
  proof: { code?: string } = {},
): Promise<{ token: string; secret: string; uri: string; recoveryCodes: string[] }> {
  const token = await signInAs(test, user);
  const begun = { proof: { password: testPassword, ...proof } };
  const { secret, uri } = await test.call("beginAuthenticatorApp { secret uri }", begun, token);
  const input = { code: createAppCode(test, secret) };
  const { codes } = await test.call("confirmAuthenticatorApp { codes }", { input }, token);
  advanceToNextCode(test);
  return { token, secret, uri, recoveryCodes: codes };
}

/** Creates a user with an authenticator app, and moves the clock to an unused code. */
export async function createTwoStepUser(test: TestApp) {
  const user = await createUser(test);
  return { user, ...(await addAuthenticator(test, user)) };
}

/** Signs in with the password and returns the challenge of the second step. */
export const sendFirstStep = async (test: TestApp, user: User): Promise<string> =>
  (await createAccountCalls(test).signIn(user.email)).json.two_step_required[0] as string;

/** Returns the state of the caller's two-step sign-in. */
export async function loadTwoStep(test: TestApp, token: string) {
  const fields = "onSince isRequired appAddedAt recoveryCodesLeft passkeys { name lastUsedAt }";
  return test.call(`twoStepSignIn { ${fields} }`, {}, token);
}

/** Completes a sign-in with a code over REST. */
export const sendSecondStep = (test: TestApp, Challenge: string, Code: string, ClientId = "portal") =>
  test.rest("POST", "/v1/core/auth/token", { body: { GrantType: "two_step", ClientId, Challenge, Code } });

/** Signs in with the password and a code over REST. */
export const signInWithCode = async (test: TestApp, user: User, code: string) =>
  sendSecondStep(test, await sendFirstStep(test, user), code);
