import { expect, test } from "vitest";
import { addAuthenticator, createAppCode, sendFirstStep, sendSecondStep } from "#tests/factories/two-step.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const EIGHT = Array.from({ length: 8 }, (_, index) => index);

test("opens one session for an authenticator code used in eight concurrent sign-ins", async () => {
  const user = await createUser(app);
  const { secret } = await addAuthenticator(app, user);
  const challenges: string[] = [];
  for (const _ of EIGHT) challenges.push(await sendFirstStep(app, user));
  const code = createAppCode(app, secret);
  const answers = await Promise.all(challenges.map((challenge) => sendSecondStep(app, challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("opens one session and sends one email for a recovery code used in eight concurrent sign-ins", async () => {
  const user = await createUser(app);
  const { recoveryCodes } = await addAuthenticator(app, user);
  const challenges: string[] = [];
  for (const _ of EIGHT) challenges.push(await sendFirstStep(app, user));
  const answers = await Promise.all(
    challenges.map((challenge) => sendSecondStep(app, challenge, recoveryCodes[0] ?? "")),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const notices = (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("A recovery code"));
  expect(notices).toHaveLength(1);
});

test("opens one session and consumes one code if five recovery codes are sent for a challenge concurrently", async () => {
  const user = await createUser(app);
  const { recoveryCodes, token } = await addAuthenticator(app, user);
  const challenge = await sendFirstStep(app, user);
  const answers = await Promise.all(recoveryCodes.slice(0, 5).map((code) => sendSecondStep(app, challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { data } = await app.graphql("{ twoStepSignIn { recoveryCodesLeft } }", {}, token);
  expect(data.twoStepSignIn.recoveryCodesLeft).toBe(9);
});

test("checks at most five of 20 concurrent guesses for a challenge", async () => {
  const user = await createUser(app);
  const { secret } = await addAuthenticator(app, user);
  const challenge = await sendFirstStep(app, user);
  const guesses = Array.from({ length: 20 }, () => sendSecondStep(app, challenge, "nothing"));
  const wrong = (await Promise.all(guesses)).filter(({ json }) => json.two_step_required !== undefined);
  expect(wrong).toHaveLength(5);
  expect((await sendSecondStep(app, challenge, createAppCode(app, secret))).status).toBe(400);
});

test("accepts a code as proof for only one of eight concurrent changes", async () => {
  const user = await createUser(app);
  const { secret, token } = await addAuthenticator(app, user);
  const proof = { password: testPassword, code: createAppCode(app, secret) };
  const renew = "mutation ($proof: IdentityProofInput!) { renewRecoveryCodes(proof: $proof) }";
  const answers = await Promise.all(EIGHT.map(() => app.graphql(renew, { proof }, token)));
  expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
});
