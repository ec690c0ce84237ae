import { expect, test } from "vitest";
import { createUser, signInWithOldProof, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const send = await alternateProcesses(app);

const mutation =
  "mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token { id } } }";

test("honours in every process a proof that one process recorded", async () => {
  const token = await signInWithOldProof(app, await createUser(app));
  const create = async (name: string) => {
    const body = { query: mutation, variables: { input: { name, scopes: ["profile:read"], expiresInDays: 30 } } };
    return (await send("POST", "/graphql", body, token)).json.errors?.[0]?.extensions.code;
  };
  expect([await create("One"), await create("Two")]).toEqual(["STEP_UP_REQUIRED", "STEP_UP_REQUIRED"]);
  expect((await send("POST", "/v1/core/auth/prove", { password: testPassword }, token)).status).toBe(200);
  expect([await create("One"), await create("Two")]).toEqual([undefined, undefined]);
});
