import { afterEach, expect, test } from "vitest";
import { readConfig } from "#api/config.ts";
import { isAdminNetwork } from "#api/platform/http/networks.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createAccountCalls } from "#tests/factories/account.ts";

const app = await startTestApp();
const { config } = app.services as { config: { adminNetworks: readonly string[] } };
afterEach(() => void (config.adminNetworks = []));
const office = ["203.0.113.0/24", "2001:db8::/48"];

const signIn = `mutation ($input: SignInInput!) { signIn(input: $input) { session { refreshToken } } }`;
const read = async (token: string) => (await app.graphql("users { total }", {}, token)).errors?.[0]?.extensions.code;

test("refuses the sign-in, sessions and tokens of staff outside their networks, and leaves customers alone", async () => {
  const admin = await createAdmin(app);
  const input = { email: admin.email, password: testPassword };
  const session = await signInAs(app, admin);
  const personal = await createTokenWithScopes(app, admin, ["users:read"]);
  const { refreshToken } = (await app.graphql(signIn, { input })).data.signIn.session;
  const customer = await signInAs(app, await createUser(app));
  expect([await read(session), await read(personal)]).toEqual([undefined, undefined]);

  config.adminNetworks = office;
  expect([await read(session), await read(personal)]).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"]);
  expect((await app.graphql(signIn, { input })).errors?.[0]).toMatchObject({
    message: "Staff can't sign in from this network.",
    extensions: { code: "FORBIDDEN" },
  });
  expect((await createAccountCalls(app).signIn(admin.email)).status).toBe(403);
  const refreshed = await app.graphql("refreshSession { accessToken }", { refreshToken });
  expect(refreshed.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  expect((await app.graphql("me { id }", {}, customer)).errors).toBe(undefined);

  config.adminNetworks = ["127.0.0.0/8"];
  expect([await read(session), await read(personal)]).toEqual([undefined, undefined]);
});

test("ends a view as a customer outside the networks of staff", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const { id } = await createUser(app);
  const { accessToken } = (await app.graphql("viewAsCustomer { accessToken }", { userId: id }, admin)).data
    .viewAsCustomer;
  const ask = async () => (await app.graphql("me { id }", {}, accessToken)).errors?.[0]?.extensions.code;
  expect(await ask()).toBe(undefined);
  config.adminNetworks = office;
  expect(await ask()).toBe("UNAUTHENTICATED");
});

test.for([
  ["203.0.113.7", true],
  ["::ffff:203.0.113.7", true],
  ["203.0.114.1", false],
  ["2001:db8::1", true],
  ["2001:db9::1", false],
  ["", false],
  ["unknown", false],
] as const)("%s is from the office: %s", ([ip, isFrom]) => {
  expect(isAdminNetwork({ adminNetworks: office }, ip)).toBe(isFrom);
  expect(isAdminNetwork({ adminNetworks: [] }, ip)).toBe(true);
});

test("ADMIN_NETWORKS lists addresses and networks", () => {
  const list = (text: string) => readConfig({ NODE_ENV: "test", ADMIN_NETWORKS: text }).adminNetworks;
  expect(list("203.0.113.0/24, 198.51.100.7")).toEqual(["203.0.113.0/24", "198.51.100.7"]);
  for (const wrong of [",", "office", "0.0.0.0/0", "203.0.113.0/33", "10.0.0"])
    expect(() => list(wrong)).toThrow("ADMIN_NETWORKS must list IP addresses and networks");
});
