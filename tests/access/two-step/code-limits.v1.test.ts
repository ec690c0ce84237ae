import { expect, test } from "vitest";
import { addAuthenticator, createAppCode, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

/** Starts a new sign-in and clears the limits on password attempts, which other tests cover. */
async function startSignIn(user: Parameters<typeof sendFirstStep>[1]): Promise<string> {
  await app.services.pool.query("delete from rate_limits where key like 'signIn%' or key like 'existingPassword%'");
  return sendFirstStep(app, user);
}

test("limits wrong codes to ten an hour across all sign-ins and sessions and reports when to try again", async () => {
  const user = await createUser(app);
  const { secret, token } = await addAuthenticator(app, user);
  for (let n = 0; n < 8; n++) expect((await sendSecondStep(app, await startSignIn(user), "000000")).status).toBe(400);
  const off = "mutation ($proof: IdentityProofInput!) { turnOffTwoStepSignIn(proof: $proof) }";
  const proof = { password: testPassword, code: "000000" };
  for (let n = 0; n < 2; n++)
    expect((await app.graphql(off, { proof }, token)).errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  const refused = await sendSecondStep(app, await startSignIn(user), createAppCode(app, secret));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect(refused.json.Message).toMatch(/^Too many wrong codes\. Please try again in (59|60) minutes\.$/);
  const session = await app.graphql(
    off,
    { proof: { password: testPassword, code: createAppCode(app, secret) } },
    token,
  );
  expect(session.errors?.[0]?.extensions.code).toBe("RATE_LIMITED");
});

test("doesn't count correct codes or other users' wrong codes", async () => {
  const user = await createUser(app);
  const { recoveryCodes } = await addAuthenticator(app, user);
  for (const code of recoveryCodes) expect((await sendSecondStep(app, await startSignIn(user), code)).status).toBe(200);
  for (let n = 0; n < 10; n++) expect((await sendSecondStep(app, await startSignIn(user), "000000")).status).toBe(400);
  const other = await createUser(app);
  const { secret } = await addAuthenticator(app, other);
  expect((await sendSecondStep(app, await startSignIn(other), createAppCode(app, secret))).status).toBe(200);
});
