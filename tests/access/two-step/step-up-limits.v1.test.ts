import { expect, test } from "vitest";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createUser, expireProof, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });
const MUTATION =
  "mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token { id } } }";

test.each([
  ["password", false],
  ["code", true],
])("refuses a wrong %s as a proof, and limits attempts to fewer than 12", async (name, hasTwoStep) => {
  const user = await createUser(app);
  const token = hasTwoStep ? (await addAuthenticator(app, user)).token : await signInAs(app, user);
  await expireProof(app, user);
  const body = { [name]: name === "code" ? "000000" : "Wrong-pass-1" };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push((await app.rest("POST", "/v1/core/auth/prove", { body, token })).status);
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  const input = { name: "Export", scopes: ["profile:read"], expiresInDays: 30 };
  const { errors } = await app.graphql(MUTATION, { input }, token);
  expect(errors?.[0]?.extensions.code).toBe("STEP_UP_REQUIRED");
});
