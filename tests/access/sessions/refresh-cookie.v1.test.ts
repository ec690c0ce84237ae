import { expect, test } from "vitest";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ publicUrl: "https://portal.test" });
const portal = { "x-refresh-token": "cookie", "sec-fetch-site": "same-origin" };
const fields = "accessToken refreshToken expiresIn";

/** Sends an operation as the portal. Returns its response and the cookie with the refresh token. */
async function post(query: string, variables: object, headers: Record<string, string> = portal) {
  const { json, headers: answered } = await app.rest("POST", "/graphql", { body: { query, variables }, headers });
  const sent = answered.getSetCookie().find((one) => one.startsWith("__Host-refresh-token="));
  return { data: json.data, errors: json.errors, sent, cookie: sent?.split(";")[0] ?? "" };
}

async function signIn(headers = portal as Record<string, string>) {
  const { email } = await createUser(app);
  const query = `mutation ($input: SignInInput!) { signIn(input: $input) { session { ${fields} } } }`;
  const { data, sent, cookie } = await post(query, { input: { email, password: testPassword } }, headers);
  return { ...data.signIn.session, sent, cookie };
}

const refresh = (refreshToken: string, headers: Record<string, string>) =>
  post(`mutation ($t: String!) { refreshSession(refreshToken: $t) { ${fields} } }`, { t: refreshToken }, headers);

test("keeps the portal's refresh token in a cookie that scripts can't read", async () => {
  const { refreshToken: marker, sent, cookie } = await signIn();
  expect(sent).toMatch(/^__Host-refresh-token=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict; Secure$/);
  expect(marker).toMatch(/^cookie\.[\w-]{43}$/);
  expect(marker).not.toContain(cookie.split("=")[1]);
  const next = await refresh(marker, { ...portal, cookie });
  expect(next.data.refreshSession.refreshToken).toMatch(/^cookie\./);
  expect(next.cookie).not.toBe(cookie);
});

test("keeps two tabs signed in that refresh at the same time, and a tab with the previous marker", async () => {
  const { refreshToken: marker, cookie } = await signIn();
  const answers = await Promise.all([1, 2, 3].map(() => refresh(marker, { ...portal, cookie })));
  expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(1);
  const later = await refresh(marker, { ...portal, cookie: answers[0]?.cookie ?? "" });
  expect(later.data.refreshSession.accessToken).toEqual(expect.any(String));
});

test("ignores the cookie without its marker, without the portal's header and from other sites", async () => {
  const { refreshToken: marker, cookie } = await signIn();
  const other = await signIn();
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
  const { refreshToken, sent } = await signIn({});
  expect(sent).toBeUndefined();
  const { data, cookie } = await refresh(refreshToken, portal);
  expect(data.refreshSession.refreshToken).toMatch(/^cookie\./);
  expect((await refresh(data.refreshSession.refreshToken, { ...portal, cookie })).errors).toBeUndefined();
});

test("deletes the cookie at sign-out", async () => {
  const { accessToken, refreshToken: marker, cookie } = await signIn();
  const { sent } = await post("mutation { signOut }", {}, { ...portal, authorization: `Bearer ${accessToken}` });
  expect(sent).toContain("Max-Age=0");
  expect((await refresh(marker, { ...portal, cookie })).errors).toHaveLength(1);
});

test("accepts a program's refresh token only with the client id of its session", async () => {
  const { email } = await createUser(app);
  const send = (body: object) => app.rest("POST", "/v1/core/auth/token", { body });
  const { json } = await send({ UserName: email, Password: testPassword, ClientId: "addin", GrantType: "password" });
  const RefreshToken = json.refresh_token as string;
  const refused = await send({ RefreshToken, ClientId: "portal", GrantType: "refresh_token" });
  expect(refused.json).toHaveProperty("invalid_refreshtoken");
  expect((await send({ RefreshToken, ClientId: "addin", GrantType: "refresh_token" })).status).toBe(200);
});
