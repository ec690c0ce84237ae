import { describe, expect, test } from "vitest";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp, type TestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true, trustedProxies: ["loopback"] });
const secure = await startTestApp({ publicUrl: "https://portal.test" });

const mutation = `mutation ($input: SignInInput!) { signIn(input: $input) { problem } }`;

/** Signs in as a browser does: with its cookies and IP address. */
async function signInFrom(
  browser: { ip: string; cookie?: string | undefined },
  email: string,
  password: string = testPassword,
  test: TestApp = app,
) {
  const { json, headers } = await test.rest("POST", "/graphql", {
    body: { query: mutation, variables: { input: { email, password } } },
    headers: { "x-forwarded-for": browser.ip, ...(browser.cookie ? { cookie: browser.cookie } : {}) },
  });
  const [setCookie] = headers.getSetCookie();
  return {
    result: json.errors?.[0]?.extensions.code ?? json.data.signIn.problem ?? "signed in",
    setCookie,
    cookie: setCookie?.split(";")[0],
  };
}

let place = 0;
const newIp = () => `203.0.113.${++place}`;

/** Guesses from many IP addresses until the email has no tries left this hour. */
async function flood({ email }: User): Promise<void> {
  for (const name of ["signInByEmailPerMinute", "signInByEmailPerHour"] as const)
    while (await app.services.rateLimits.tryTake(name, email));
}

describe("the cookie of a known browser", () => {
  test("can't be read by scripts or sent by other sites, and over HTTPS only by this host", async () => {
    const { setCookie } = await signInFrom({ ip: newIp() }, (await createUser(app)).email);
    expect(setCookie).toMatch(/^known-device=\d{10}\.[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/);
    const owner = await createUser(secure);
    expect((await signInFrom({ ip: newIp() }, owner.email, testPassword, secure)).setCookie).toMatch(
      /^__Host-known-device=.*; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test("is sent only after signing in", async () => {
    const { email } = await createUser(app);
    expect((await signInFrom({ ip: newIp() }, email, "Wrong-pass-1")).setCookie).toBeUndefined();
  });

  test("is also sent by the token call", async () => {
    const { email } = await createUser(app);
    const body = { UserName: email, Password: testPassword, ClientId: "portal", GrantType: "password" };
    const { headers } = await app.rest("POST", "/v1/core/auth/token", { body });
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^known-device=/)]);
  });
});

describe("while strangers guess passwords for an email", () => {
  test("its owner signs in immediately in a known browser from any address, and has to wait in a new one", async () => {
    const owner = await createUser(app);
    const { cookie } = await signInFrom({ ip: newIp() }, owner.email);
    await flood(owner);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("signed in");
    expect((await signInFrom({ ip: newIp() }, owner.email)).result).toBe("UNAVAILABLE");
  });

  test("a known browser has five tries a minute", async () => {
    const owner = await createUser(app);
    const { cookie } = await signInFrom({ ip: newIp() }, owner.email);
    await flood(owner);
    const results: string[] = [];
    for (let n = 0; n < 6; n++)
      results.push((await signInFrom({ ip: newIp(), cookie }, owner.email, "Wrong-pass-1")).result);
    expect(results).toEqual([...Array<string>(5).fill("INVALID"), "RATE_LIMITED"]);
  });

  test("the cookie of another user, or a changed or expired cookie, doesn't help", async () => {
    const [owner, other] = [await createUser(app), await createUser(app)];
    const { cookie = "" } = await signInFrom({ ip: newIp() }, owner.email);
    const { cookie: cookieOfOther } = await signInFrom({ ip: newIp() }, other.email);
    await flood(owner);
    const changed = cookie.replace(/=\d/, (start) => (start === "=1" ? "=2" : "=1"));
    for (const wrong of [cookieOfOther, changed, "known-device=~", `known-device=${"x".repeat(54)}`])
      expect((await signInFrom({ ip: newIp(), cookie: wrong }, owner.email)).result).toBe("UNAVAILABLE");
    const before = app.clock.offsetMs;
    try {
      app.clock.setOffset(before + 91 * DAY);
      expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("UNAVAILABLE");
    } finally {
      app.clock.setOffset(before);
    }
  });

  test("a browser that two users share knows both", async () => {
    const [first, second] = [await createUser(app), await createUser(app)];
    const { cookie } = await signInFrom({ ip: newIp() }, first.email);
    const { cookie: shared } = await signInFrom({ ip: newIp(), cookie }, second.email);
    for (const owner of [first, second]) {
      await flood(owner);
      expect((await signInFrom({ ip: newIp(), cookie: shared }, owner.email)).result).toBe("signed in");
    }
  });

  test("a browser that signed in with an old password is no longer known", async () => {
    const owner = await createUser(app);
    const { cookie } = await signInFrom({ ip: newIp() }, owner.email);
    const outcome = await signIn(createContext(app.services), { email: owner.email, password: testPassword }, "portal");
    if (outcome.kind !== "signed-in") throw new Error("not signed in");
    const password = "Gantt-charts-44";
    const changed = await app.rest("POST", "/v1/core/accounts/password/change", {
      token: outcome.tokens.accessToken,
      body: { existingPassword: testPassword, password, confirmPassword: password },
    });
    expect(changed.status).toBe(200);
    await flood(owner);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email, password)).result).toBe("UNAVAILABLE");
  });

  test("a browser that signed in before a password reset is no longer known", async () => {
    const owner = await createUser(app);
    const { cookie } = await signInFrom({ ip: newIp() }, owner.email);
    await app.rest("PATCH", `/v1/core/accounts/${owner.email}/password/reset/request`);
    const password = "Gantt-charts-45";
    const reset = await app.rest("POST", "/v1/core/accounts/password/reset", {
      body: { resetToken: await findEmailedSecret(app, owner.email), password, confirmPassword: password },
    });
    expect(reset.status, reset.text).toBe(200);
    await flood(owner);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email, password)).result).toBe("UNAVAILABLE");
  });

  test("signing out everywhere forgets all browsers except its own", async () => {
    const owner = await createUser(app);
    const { cookie: other } = await signInFrom({ ip: newIp() }, owner.email);
    const { cookie: own } = await signInFrom({ ip: newIp() }, owner.email);
    const { headers, json } = await app.rest("POST", "/graphql", {
      body: { query: "mutation { endOtherSessions }" },
      token: await signInAs(app, owner),
      headers: { cookie: own ?? "" },
    });
    expect(json.errors).toBe(undefined);
    const renewed = headers.getSetCookie()[0]?.split(";")[0];
    await flood(owner);
    for (const cookie of [other, own])
      expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("UNAVAILABLE");
    expect((await signInFrom({ ip: newIp(), cookie: renewed }, owner.email)).result).toBe("signed in");
  });

  test("no browser is known after staff sign the user out everywhere", async () => {
    const owner = await createUser(app);
    const { cookie } = await signInFrom({ ip: newIp() }, owner.email);
    const admin = await signInAs(app, await createAdmin(app));
    const { headers, json } = await app.rest("POST", "/graphql", {
      body: { query: "mutation ($id: ID!) { endSessionsOf(userId: $id) }", variables: { id: owner.id } },
      token: admin,
    });
    expect(json.data).toEqual({ endSessionsOf: 1 });
    expect(headers.getSetCookie()).toEqual([]);
    await flood(owner);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("UNAVAILABLE");
  });
});
