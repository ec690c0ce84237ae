import { expect, test } from "vitest";
import { addApp, appCode, firstStep, secondStep } from "#tests/factories/two-step.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const EIGHT = Array.from({ length: 8 }, (_, index) => index);

test("opens one session for an authenticator code used in eight concurrent sign-ins", async () => {
  const user = await createUser(app);
  const { secret } = await addApp(app, user);
  const challenges: string[] = [];
  for (const _ of EIGHT) challenges.push(await firstStep(app, user));
  const code = appCode(app, secret);
  const answers = await Promise.all(challenges.map((challenge) => secondStep(app, challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("opens one session and sends one email for a recovery code used in eight concurrent sign-ins", async () => {
  const user = await createUser(app);
  const { recoveryCodes } = await addApp(app, user);
  const challenges: string[] = [];
  for (const _ of EIGHT) challenges.push(await firstStep(app, user));
  const answers = await Promise.all(challenges.map((challenge) => secondStep(app, challenge, recoveryCodes[0] ?? "")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const notices = (await mailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("A recovery code"));
  expect(notices).toHaveLength(1);
});

test("opens one session and consumes one code for five concurrent recovery codes of a challenge", async () => {
  const user = await createUser(app);
  const { recoveryCodes, token } = await addApp(app, user);
  const challenge = await firstStep(app, user);
  const answers = await Promise.all(recoveryCodes.slice(0, 5).map((code) => secondStep(app, challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { data } = await app.graphql("{ twoStepSignIn { recoveryCodesLeft } }", {}, token);
  expect(data.twoStepSignIn.recoveryCodesLeft).toBe(9);
});

test("checks at most five of 20 concurrent guesses for a challenge", async () => {
  const user = await createUser(app);
  const { secret } = await addApp(app, user);
  const challenge = await firstStep(app, user);
  const guesses = Array.from({ length: 20 }, () => secondStep(app, challenge, "nothing"));
  const wrong = (await Promise.all(guesses)).filter(({ json }) => json.two_step_required !== undefined);
  expect(wrong).toHaveLength(5);
  expect((await secondStep(app, challenge, appCode(app, secret))).status).toBe(400);
});

test("accepts a code as proof for one of eight concurrent changes", async () => {
  const user = await createUser(app);
  const { secret, token } = await addApp(app, user);
  const proof = { password: testPassword, code: appCode(app, secret) };
  const renew = "mutation ($proof: IdentityProofInput!) { renewRecoveryCodes(proof: $proof) }";
  const answers = await Promise.all(EIGHT.map(() => app.graphql(renew, { proof }, token)));
  expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
});
