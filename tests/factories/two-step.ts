import { generateSync } from "otplib";
import type { User } from "#api/people/users/user.entity.ts";
import { epochSeconds } from "#api/platform/clock.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { signInAs, testPassword } from "./user.ts";

/** The code that an app with this secret shows now, or `steps` of 30 seconds later. */
export function appCode(test: TestApp, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: epochSeconds(test.clock.now()) + steps * 30 });
}

/** Lets the app show another code. */
export function nextCode(test: TestApp): void {
  test.clock.setOffset(test.clock.offsetMs + 30_000);
}

const begin = "mutation ($proof: IdentityProofInput!) { beginAuthenticatorApp(proof: $proof) { secret uri } }";
const confirm = "mutation ($input: AuthenticatorAppCodeInput!) { confirmAuthenticatorApp(input: $input) }";

/** Gives a user an authenticator app by the front door; the next code is one that was not used yet. */
export async function addApp(
  test: TestApp,
  user: User,
  proof: { code?: string } = {},
): Promise<{ token: string; secret: string; uri: string; recoveryCodes: string[] }> {
  const token = await signInAs(test, user);
  const begun = await test.graphql(begin, { proof: { password: testPassword, ...proof } }, token);
  const { secret, uri } = begun.data.beginAuthenticatorApp as { secret: string; uri: string };
  const confirmed = await test.graphql(confirm, { input: { code: appCode(test, secret) } }, token);
  nextCode(test);
  return { token, secret, uri, recoveryCodes: confirmed.data.confirmAuthenticatorApp as string[] };
}

/** The first step of a sign-in, by the right password. */
export async function firstStep(test: TestApp, user: User): Promise<string> {
  const { json } = await test.rest("POST", "/v1/core/auth/token", {
    body: { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" },
  });
  return json.two_step_required[0] as string;
}

/** The second step of a sign-in over REST. */
export function secondStep(test: TestApp, Challenge: string, Code: string, ClientId = "portal") {
  return test.rest("POST", "/v1/core/auth/token", { body: { GrantType: "two_step", ClientId, Challenge, Code } });
}
