import { describe, expect, test } from "vitest";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { sendOperations, uploadGraphql, uploadMultipart } from "#tests/factories/software-upload.ts";
import { buildProfile, createAccountCalls } from "#tests/factories/account.ts";
import { createAdmin, createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

const { changePassword, register, resendConfirmation, signIn, updateProfile, validateResetToken } =
  createAccountCalls(app);

describe("rate limits", () => {
  test("allow five sign-ins a minute for known, unknown and long emails, then return 429 with Retry-After", async () => {
    const longest = `${"x".repeat(242)}@example.com`;
    expect(longest).toHaveLength(254);
    for (const email of [(await createUser(app)).email, "nobody@example.com", longest]) {
      for (let n = 0; n < 5; n++) expect((await signIn(email, "Wrong-pass-1")).status).toBe(400);
      const refused = await signIn(email, testPassword);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.json).toEqual({
        Message: "Too many attempts. Please wait a little and try again.",
        requestId: expect.any(String),
      });
    }
    // The keys are hashed.
    expect((await app.services.pool.query("select key from rate_limits where key like '%@%'")).rows).toEqual([]);
  });

  test("allow an admin 30 uploads in ten minutes across REST and GraphQL, and reject others before reading files", async () => {
    const admin = await signInAs(app, await createAdmin(app));
    for (let n = 0; n < 15; n++) {
      expect((await uploadMultipart(app, admin, {}, {})).status).toBe(400);
      expect((await sendOperations(app, admin, { query: "{ me { id } }" }, {})).status).toBe(200);
    }
    for (const refused of [await uploadMultipart(app, admin, {}, {}), await uploadGraphql(app, admin, {}, {})]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  test("allow three resent confirmation emails an hour for each handle", async () => {
    const handle = (await register(buildRegistration())).json;
    for (let n = 0; n < 3; n++) expect((await resendConfirmation(handle)).status).toBe(200);
    expect((await resendConfirmation(handle)).status).toBe(429);
  });

  test("allow five email changes an hour, and don't limit other profile changes", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const save = async (changes = {}) => (await updateProfile(token, buildProfile(changes))).status;
    for (let n = 0; n < 5; n++) expect(await save()).toBe(200);
    expect(await save()).toBe(429);
    for (let n = 0; n < 7; n++) expect(await save({ email: user.email })).toBe(200);
  });

  test("allow five reset requests an hour for each IP address, whatever forwarding headers say", async () => {
    const requestReset = (email: string, ip: string) =>
      app.rest("PATCH", `/v1/core/accounts/${email}/password/reset/request`, {
        headers: { "x-forwarded-for": ip, forwarded: `for=${ip}`, "x-real-ip": ip, "cf-connecting-ip": ip },
      });
    for (let n = 0; n < 5; n++)
      expect((await requestReset(`person-${n}@example.com`, `198.51.100.${n}`)).status).toBe(200);
    expect((await requestReset("person-6@example.com", "198.51.100.6")).status).toBe(429);
  });

  test("allow five guesses of the existing password a minute in a session", async () => {
    const token = await signInAs(app, await createUser(app));
    for (let n = 0; n < 5; n++)
      expect((await changePassword(token, { existingPassword: "Wrong-pass-1" })).status).toBe(400);
    expect((await changePassword(token)).status).toBe(429);
  });

  test("allow ten attempts to use an email link in ten minutes for each IP address", async () => {
    for (let n = 0; n < 10; n++) expect((await validateResetToken("x")).status).toBe(200);
    expect((await validateResetToken("x")).status).toBe(429);
  });
});

test("treats an IPv6 /64 network as one address", () => {
  expect(toRateLimitAddress("2001:db8:1:2:3:4:5:6")).toBe(toRateLimitAddress("2001:db8:1:2:ffff::1"));
  expect(toRateLimitAddress("2001::3:4:5:6:7")).toBe("2001:0:0:3::/64");
  expect(toRateLimitAddress("2001:db8:1:2::1")).not.toBe(toRateLimitAddress("2001:db8:1:3::1"));
  expect(toRateLimitAddress("::ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(toRateLimitAddress("10.0.0.1")).not.toBe(toRateLimitAddress("10.0.0.2"));
});

test("limits registration emails to three an hour for each address, with or without an account", async () => {
  for (const email of [(await createUser(app)).email, buildRegistration().email]) {
    await app.services.pool.query("delete from rate_limits where key like 'register:%'");
    for (let n = 0; n < 5; n++) expect((await register(buildRegistration({ email }))).status).toBe(200);
    expect(await listEmailsTo(app, email)).toHaveLength(3);
  }
});

describe("sign-in attempts", () => {
  test("don't count if the password is correct: the 30th sign-in in an hour succeeds", async () => {
    const { email } = await createUser(app);
    for (let n = 0; n < 30; n++) expect((await signIn(email, testPassword)).status, `sign-in ${n + 1}`).toBe(200);
  });

  test("keep counting the wrong passwords of the last hour after a correct one", async () => {
    const { email } = await createUser(app);
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 4; n++) expect((await signIn(email, "Wrong-pass-1")).status).toBe(400);
      if (round < 4) expect((await signIn(email, testPassword)).status).toBe(200);
    }
    expect((await signIn(email, testPassword)).status).toBe(429);
  });

  test("don't count if the database fails", async () => {
    const { email } = await createUser(app);
    const { pool } = app.services;
    await pool.query("alter table users rename to users_away");
    try {
      for (let n = 0; n < 6; n++) expect((await signIn(email, testPassword)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await pool.query("alter table users_away rename to users");
    }
    expect((await signIn(email, testPassword)).status).toBe(200);
  });

  test("don't count if the existing password is correct", async () => {
    const token = await signInAs(app, await createUser(app));
    const passwords = Array.from({ length: 23 }, (_, n) => (n === 0 ? testPassword : `Gantt-charts-${n}`));
    for (const [n, password] of passwords.slice(1).entries()) {
      const changes = { existingPassword: passwords[n], password, confirmPassword: password };
      expect((await changePassword(token, changes)).status, `change ${n + 1}`).toBe(200);
    }
  });
});
