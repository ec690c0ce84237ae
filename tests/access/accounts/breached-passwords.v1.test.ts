import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { isCommonPassword } from "#schema/rules/common-passwords.ts";
import { createAdmin, createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

/** A breached password that the form's own list doesn't include. */
const breached = "thunder1";
const refusal = {
  password: ["This password is one of the first that attackers try. Please choose one that is harder to guess."],
};
const both = (password: string) => ({ password, confirmPassword: password });

test("the list has at least 10,000 passwords, and more than the form's own list", () => {
  expect(dictionary["passwords-common"].length).toBeGreaterThan(10_000);
  expect(dictionary["passwords-common"]).toContain(breached);
  expect(isCommonPassword(breached)).toBe(false);
});

test("a registration rejects breached passwords without using up the address's tries", async () => {
  for (const password of [breached, "Thunder1", "7hund3r1!", "rush2112", "babylon5", "heather1"])
    expect((await app.rest("POST", "/v1/core/accounts", { body: buildRegistration(both(password)) })).json).toEqual(
      refusal,
    );
  const accepted = await app.rest("POST", "/v1/core/accounts", { body: buildRegistration(both("Gantt-charts-44")) });
  expect(accepted.status).toBe(200);
});

test("a reset link stays valid after a breached password", async () => {
  const { email } = await createUser(app);
  await app.rest("PATCH", `/v1/core/accounts/${email}/password/reset/request`);
  const resetToken = await findEmailedSecret(app, email);
  const reset = (password: string) =>
    app.rest("POST", "/v1/core/accounts/password/reset", { body: { resetToken, ...both(password) } });
  expect((await reset(breached)).json).toEqual(refusal);
  expect((await reset("Gantt-charts-44")).status).toBe(200);
});

test("a changed password can't be a breached one", async () => {
  const token = await signInAs(app, await createUser(app));
  const body = { existingPassword: testPassword, ...both(breached) };
  const { status, json } = await app.rest("POST", "/v1/core/accounts/password/change", { token, body });
  expect([status, json]).toEqual([400, refusal]);
});

test("staff can't give a new user a breached password", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const body = { ...buildRegistration(both(breached)), memberType: 2 };
  const { status, json } = await app.rest("POST", "/v1/core/accounts/admin-create-user", { token, body });
  expect([status, json]).toEqual([400, refusal]);
});
