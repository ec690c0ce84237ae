import { describe, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { buildProfile, createAccountCalls, getErrorCode } from "#tests/factories/account.ts";
import { createAppCode, createTwoStepUser } from "#tests/factories/two-step.ts";
import {
  buildRegistration,
  createAdmin,
  createUser,
  expireProof,
  signInWithOldProof,
  testPassword,
  createSignedIn,
} from "#tests/factories/user.ts";
import { requestField } from "#tests/support/request-field.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { changePassword, refresh, signIn } = createAccountCalls(app);
const schema = buildGraphqlSchema();
const wait = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);
const REQUIRED = "STEP_UP_REQUIRED";

const createToken = "Mutation.createPersonalAccessToken";
const getCodes = async (row: string, token: string) =>
  ((await requestField(app, schema, row, token)).errors ?? []).map(({ extensions }) => extensions.code);
const isProofNeeded = async (token: string) => (await getCodes(createToken, token)).includes(REQUIRED as never);

const prove = (token: string, body: object) => app.rest("POST", "/v1/core/auth/prove", { body, token });

function buildInput(user: Pick<User, "email">, changes: object = {}) {
  return { ...buildProfile({ email: user.email }), memberType: "REGULAR", annualDeactivationLimit: 3, ...changes };
}

describe("a proof", () => {
  test("is a sign-in, for ten minutes, but not a refresh", async () => {
    const user = await createUser(app);
    const { access_token, refresh_token } = (await signIn(user.email)).json;
    expect(await isProofNeeded(access_token)).toBe(false);
    wait(9.5 * MINUTE);
    expect(await isProofNeeded(access_token)).toBe(false);
    wait(MINUTE);
    const refreshed = await refresh(refresh_token);
    expect(refreshed.status).toBe(200);
    expect(await isProofNeeded(refreshed.json.access_token)).toBe(true);
  });

  test("by password belongs to one session", async () => {
    const { user, token: here } = await createSignedIn(app);
    const there = await signInWithOldProof(app, user);
    const { data } = await app.graphql("proveIdentity { validUntil }", { password: testPassword }, here);
    const leftMs = Date.parse(data.proveIdentity.validUntil) - app.clock.now().getTime();
    expect(leftMs).toBeGreaterThan(9.5 * MINUTE);
    expect(leftMs).toBeLessThanOrEqual(10 * MINUTE);
    expect([await isProofNeeded(here), await isProofNeeded(there)]).toEqual([false, true]);
  });

  test("needs the second step if it is on", async () => {
    const { user, token, secret } = await createTwoStepUser(app);
    await expireProof(app, user);
    expect(await prove(token, { password: testPassword })).toMatchObject({
      status: 400,
      json: { code: ["Code is required."] },
    });
    expect(await isProofNeeded(token)).toBe(true);
    expect((await prove(token, { code: createAppCode(app, secret) })).status).toBe(200);
    expect(await isProofNeeded(token)).toBe(false);
  });
});

describe("operations that depend on their values", () => {
  test("let staff change a customer without a proof, but not an email address", async () => {
    const token = await signInWithOldProof(app, await createAdmin(app));
    const customer = await createUser(app);
    const sent = { id: customer.id, input: buildInput(customer, { firstName: "Augusta" }) };
    expect((await app.graphql("updateUser { email }", sent, token)).errors).toBeUndefined();
    const email = `new-${customer.email}`;
    const moved = { id: customer.id, input: buildInput({ email }) };
    expect(getErrorCode(await app.graphql("updateUser { email }", moved, token))).toBe(REQUIRED);
    const refused = await app.rest("PUT", "/v1/users/admin/update-user", {
      token,
      body: { id: customer.id, ...buildInput({ email }), memberType: 1 },
    });
    expect(refused).toMatchObject({
      status: 403,
      json: { Message: expect.stringMatching(/identity/), code: "step_up_required" },
    });
    await prove(token, { password: testPassword });
    expect((await app.graphql("updateUser { email }", moved, token)).data.updateUser.email).toBe(email);
  });

  test("don't let staff create, change, archive or restore an admin without a proof", async () => {
    const token = await signInWithOldProof(app, await createAdmin(app));
    const other = await createAdmin(app);
    const create = (memberType: string) =>
      app.graphql("createUser { id }", { input: { ...buildRegistration(), memberType } }, token);
    const change = (user: User, memberType: string) =>
      app.graphql("updateUser { email }", { id: user.id, input: buildInput(user, { memberType }) }, token);
    const archive = (name: "archiveUser" | "restoreUser") => app.graphql(`${name} { id }`, { id: other.id }, token);
    const refused = [
      await create("ADMIN"),
      await change(other, "ADMIN"),
      await change(other, "REGULAR"),
      await change(await createUser(app), "ADMIN"),
      await archive("archiveUser"),
      await archive("restoreUser"),
    ];
    expect(refused.map(getErrorCode)).toEqual(refused.map(() => REQUIRED));
    await prove(token, { password: testPassword });
    expect((await create("ADMIN")).errors).toBeUndefined();
    expect((await archive("archiveUser")).errors).toBeUndefined();
  });

  test("let users change their profile without a proof, but not their email address", async () => {
    const user = await createUser(app);
    const token = await signInWithOldProof(app, user);
    const update = (email: string) =>
      app.graphql("updateProfile { user { pendingEmail } }", { input: buildProfile({ email }) }, token);
    expect((await update(user.email.toUpperCase())).errors).toBeUndefined();
    expect(getErrorCode(await update(`new-${user.email}`))).toBe(REQUIRED);
    await prove(token, { password: testPassword });
    expect((await update(`new-${user.email}`)).data.updateProfile.user.pendingEmail).toBe(`new-${user.email}`);
  });
});

describe("operations that take the password", () => {
  test("count the right password as a proof", async () => {
    const user = await createUser(app);
    const token = await signInWithOldProof(app, user);
    expect((await changePassword(token, { existingPassword: "Wrong-pass-1" })).status).toBe(400);
    expect(await isProofNeeded(token)).toBe(true);
    expect((await changePassword(token)).status).toBe(200);
    expect(await isProofNeeded(token)).toBe(false);
  });

  test("need the second step as well if it is on", async () => {
    const { user, token, secret } = await createTwoStepUser(app);
    await expireProof(app, user);
    expect(await changePassword(token)).toMatchObject({ status: 403, json: { code: "step_up_required" } });
    expect(
      getErrorCode(await app.graphql("deleteMyAccount { id }", { input: { password: testPassword } }, token)),
    ).toBe(REQUIRED);
    await prove(token, { code: createAppCode(app, secret) });
    expect((await changePassword(token)).status).toBe(200);
  });
});
