import { describe, expect, test, afterEach } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAccountCalls, newPassword } from "#tests/factories/account.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp, type TestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true, trustedProxies: ["loopback"] });
afterEach(() => app.clock.setOffset(0));
const { changePassword, requestResetToken, resetPassword, signIn } = createAccountCalls(app);
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

  test("is sent only after signing in, also by the token call", async () => {
    const { email } = await createUser(app);
    expect((await signInFrom({ ip: newIp() }, email, "Wrong-pass-1")).setCookie).toBeUndefined();
    expect((await signIn(email)).headers.getSetCookie()).toEqual([expect.stringMatching(/^known-device=/)]);
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
    app.clock.setOffset(91 * DAY);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("UNAVAILABLE");
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

  test("a browser that signed in before the password was changed or reset is no longer known", async () => {
    const [changed, recovered] = [await createUser(app), await createUser(app)];
    const { cookie } = await signInFrom({ ip: newIp() }, changed.email);
    const { cookie: older } = await signInFrom({ ip: newIp() }, recovered.email);
    expect((await changePassword(await signInAs(app, changed))).status).toBe(200);
    expect((await resetPassword(await requestResetToken(recovered))).status).toBe(200);
    for (const [owner, known] of [
      [changed, cookie],
      [recovered, older],
    ] as const) {
      await flood(owner);
      expect((await signInFrom({ ip: newIp(), cookie: known }, owner.email, newPassword)).result).toBe("UNAVAILABLE");
    }
  });

  test("signing out everywhere forgets all browsers except its own", async () => {
    const owner = await createUser(app);
    const { cookie: other } = await signInFrom({ ip: newIp() }, owner.email);
    const { cookie: own } = await signInFrom({ ip: newIp() }, owner.email);
    const { headers, json } = await app.rest("POST", "/graphql", {
      body: { query: "mutation { endOtherSessions { count } }" },
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
      body: { query: "mutation ($id: ID!) { endSessionsOf(userId: $id) { count } }", variables: { id: owner.id } },
      token: admin,
    });
    expect(json.data).toEqual({ endSessionsOf: { count: 1 } });
    expect(headers.getSetCookie()).toEqual([]);
    await flood(owner);
    expect((await signInFrom({ ip: newIp(), cookie }, owner.email)).result).toBe("UNAVAILABLE");
  });
});

describe("the cookie with the portal's refresh token", () => {
  const portal = { "x-refresh-token": "cookie", "sec-fetch-site": "same-origin" };
  const fields = "accessToken refreshToken expiresIn";

  /** Sends an operation as the portal. Returns its response and the cookie with the refresh token. */
  async function post(query: string, variables: object, headers: Record<string, string> = portal) {
    const { json, headers: answered } = await secure.rest("POST", "/graphql", { body: { query, variables }, headers });
    const sent = answered.getSetCookie().find((one) => one.startsWith("__Host-refresh-token="));
    return { data: json.data, errors: json.errors, sent, cookie: sent?.split(";")[0] ?? "" };
  }

  async function openPortal(headers = portal as Record<string, string>) {
    const { email } = await createUser(secure);
    const query = `mutation ($input: SignInInput!) { signIn(input: $input) { session { ${fields} } } }`;
    const { data, sent, cookie } = await post(query, { input: { email, password: testPassword } }, headers);
    return { ...data.signIn.session, sent, cookie };
  }

  const refresh = (refreshToken: string, headers: Record<string, string>) =>
    post(`mutation ($t: String!) { refreshSession(refreshToken: $t) { ${fields} } }`, { t: refreshToken }, headers);

  test("keeps the portal's refresh token in a cookie that scripts can't read", async () => {
    const { refreshToken: marker, sent, cookie } = await openPortal();
    expect(sent).toMatch(
      /^__Host-refresh-token=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(marker).toMatch(/^cookie\.[\w-]{43}$/);
    expect(marker).not.toContain(cookie.split("=")[1]);
    const next = await refresh(marker, { ...portal, cookie });
    expect(next.data.refreshSession.refreshToken).toMatch(/^cookie\./);
    expect(next.cookie).not.toBe(cookie);
  });

  test("keeps two tabs signed in that refresh at the same time, and a tab with the previous marker", async () => {
    const { refreshToken: marker, cookie } = await openPortal();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(marker, { ...portal, cookie })));
    expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(1);
    const later = await refresh(marker, { ...portal, cookie: answers[0]?.cookie ?? "" });
    expect(later.data.refreshSession.accessToken).toEqual(expect.any(String));
  });

  test("ignores the cookie without its marker, without the portal's header and from other sites", async () => {
    const { refreshToken: marker, cookie } = await openPortal();
    const other = await openPortal();
    const attempts: [string, Record<string, string>][] = [
      [other.refreshToken, { ...portal, cookie }],
      ["cookie.", { ...portal, cookie }],
      [marker, portal],
      [marker, { cookie }],
      [marker, { ...portal, cookie, "sec-fetch-site": "cross-site" }],
    ];
    for (const [token, headers] of attempts)
      expect((await refresh(token, headers)).errors[0].extensions.code).toBe("UNAUTHENTICATED");
    expect((await refresh(marker, { ...portal, cookie })).errors).toBeUndefined();
  });

  test("moves a refresh token from before the cookie into it", async () => {
    const { refreshToken, sent } = await openPortal({});
    expect(sent).toBeUndefined();
    const { data, cookie } = await refresh(refreshToken, portal);
    expect(data.refreshSession.refreshToken).toMatch(/^cookie\./);
    expect((await refresh(data.refreshSession.refreshToken, { ...portal, cookie })).errors).toBeUndefined();
  });

  test("deletes the cookie at sign-out", async () => {
    const { accessToken, refreshToken: marker, cookie } = await openPortal();
    const headers = { ...portal, authorization: `Bearer ${accessToken}` };
    expect((await post("mutation { signOut { id } }", {}, headers)).sent).toContain("Max-Age=0");
    expect((await refresh(marker, { ...portal, cookie })).errors).toHaveLength(1);
  });
});
