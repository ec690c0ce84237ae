import { describe, expect, test } from "vitest";
import { MemberType } from "#schema/user.ts";
import type { Scope } from "#schema/personal-access-token.ts";
import { User } from "#api/people/users/user.entity.ts";
import { findLiveToken } from "#api/access/personal-access-tokens/authenticate-token.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { buildProfile, createAccountCalls, getErrorCode } from "#tests/factories/account.ts";
import { createToken, createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import {
  createAdmin,
  createCorporateUser,
  buildRegistration,
  createUser,
  signInAs,
  createSignedIn,
} from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { whenDone } from "#tests/support/when-done.ts";

const app = await startTestApp();
const advanceClock = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);
const em = () => app.services.orm.em.fork();

const { isSignedIn: works, loadMe: me } = createAccountCalls(app);
const change = (user: User, values: Partial<User>) => em().nativeUpdate(User, user.id, values);

describe("a token", () => {
  test("works over REST and GraphQL with any letter case of Bearer", async () => {
    const user = await createUser(app);
    const token = await createTokenWithScopes(app, user, ["profile:read", "licences:read"]);
    expect((await app.graphql("me { id licences { id } }", {}, token)).data.me).toEqual({ id: user.id, licences: [] });
    expect((await app.rest("GET", `/v1/licence/${user.id}`, { token })).json).toEqual([]);
    const headers = { authorization: `bEARER ${token}` };
    expect((await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { headers })).json.email).toBe(user.email);
  });

  test("gets the same 401 if it is unknown, expired or revoked, or its owner's account is archived", async () => {
    const now = app.clock.now();
    const user = await createUser(app);
    const archived = await createUser(app, { archivedAt: now });
    const dead = [
      `xpat_${"A".repeat(43)}`,
      (await createToken(app, user, ["profile:read"], { expiresAt: now })).secret,
      (await createToken(app, user, ["profile:read"], { revokedAt: now })).secret,
      await createTokenWithScopes(app, archived, ["profile:read"]),
    ];
    const answers = await Promise.all(
      dead.map(async (token) => {
        const { status, json } = await app.rest("GET", `/v1/licence/${user.id}`, { token });
        const answer = await me(token);
        expect([answer.status, getErrorCode(answer)]).toEqual([200, "UNAUTHENTICATED"]);
        // Public operations stay available.
        expect((await app.graphql("plans { slug }", {}, token)).errors).toBeUndefined();
        return { status, message: json.Message };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  test("stops working when it expires, and works again after the account is restored", async () => {
    const { secret, token } = await createToken(app, await createUser(app));
    expect(await works(secret)).toBe(true);
    advanceClock(token.expiresAt.getTime() - app.clock.now().getTime());
    expect(await works(secret)).toBe(false);
    app.clock.setOffset(0);
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const restored = await createTokenWithScopes(app, archived, ["profile:read"]);
    expect(await works(restored)).toBe(false);
    await change(archived, { archivedAt: null });
    expect(await works(restored)).toBe(true);
  });

  test("loses staff scopes on the next request after its owner is demoted and keeps the customer scopes", async () => {
    const admin = await createAdmin(app);
    const token = await createTokenWithScopes(app, admin, ["users:read", "profile:read"]);
    expect((await app.graphql("users { total }", {}, token)).errors).toBeUndefined();
    await change(admin, { memberType: MemberType.Regular });
    expect(getErrorCode(await app.graphql("users { total }", {}, token))).toBe("FORBIDDEN");
    expect((await findLiveToken(app.services, token, "127.0.0.1"))?.scopes).toEqual(new Set(["profile:read"]));
    expect(await works(token)).toBe(true);
  });

  test("is revoked when its owner becomes an admin", async () => {
    const [admin, user] = [await createAdmin(app), await createCorporateUser(app)];
    const token = await createTokenWithScopes(app, user, ["profile:read"]);
    const session = await signInAs(app, admin);
    const update = (memberType: MemberType) =>
      app.rest("PUT", "/v1/users/admin/update-user", {
        token: session,
        body: { ...buildProfile({ email: user.email }), id: user.id, memberType, annualDeactivationLimit: 3 },
      });
    expect((await update(MemberType.Regular)).status).toBe(200);
    expect(await works(token)).toBe(true);
    expect((await update(MemberType.Admin)).status).toBe(200);
    expect(await works(token)).toBe(false);
  });

  test("is blocked until an admin sets up two-step sign-in, if the operator requires it", async () => {
    const admin = await createAdmin(app);
    const token = await createTokenWithScopes(app, admin, ["users:read", "profile:read"]);
    const { config } = app.services as { config: { adminTwoStepRequired: boolean } };
    config.adminTwoStepRequired = true;
    whenDone(() => void (config.adminTwoStepRequired = false));
    for (const query of ["{ users { total } }", "{ me { id } }"])
      expect((await app.graphql(query, {}, token)).errors?.[0]?.extensions).toMatchObject({
        code: "FORBIDDEN",
        reason: "SET_UP_TWO_STEP",
      });
    await change(admin, { twoStepSince: app.clock.now() });
    expect(await works(token)).toBe(true);
  });

  test("records its last use with the IP address at most once a minute, without waiting for its row", async () => {
    const user = await createUser(app);
    const { secret, token } = await createToken(app, user);
    const lastUse = async () => (await em().findOneOrFail(PersonalAccessToken, token.id)).lastUsedAt?.getTime();
    const first = app.clock.now().getTime();
    await Promise.all(Array.from({ length: 5 }, () => me(secret)));
    const noted = await lastUse();
    expect(noted).toBeGreaterThanOrEqual(first);
    expect((await em().findOneOrFail(PersonalAccessToken, token.id)).lastUsedIp).toMatch(/127\.0\.0\.1|::1/);
    advanceClock(50_000);
    await me(secret);
    expect(await lastUse()).toBe(noted);
    advanceClock(11_000);
    // A socket for both families writes IPv4 addresses as IPv6.
    const call = { url: `/v1/core/accounts/${user.id}/profile`, headers: { authorization: `Bearer ${secret}` } };
    await app.app.inject({ ...call, remoteAddress: "::ffff:203.0.113.7" });
    expect(await lastUse()).toBeGreaterThan(noted ?? 0);
    expect((await em().findOneOrFail(PersonalAccessToken, token.id)).lastUsedIp).toBe("203.0.113.7");
    app.clock.setOffset(0);
    await em().transactional(async (held) => {
      await held.execute("select from personal_access_tokens where id = ? for update", [token.id]);
      expect(await works(secret)).toBe(true);
    });
  });

  test("is accepted only from its networks, also by IPv6, and says so elsewhere", async () => {
    const user = await createUser(app);
    const call = (networks: string[]) => createToken(app, user, ["profile:read"], { networks });
    for (const networks of ["", "127.0.0.1", "203.0.113.0/24 127.0.0.0/8", "::ffff:127.0.0.1 ::1 127.0.0.1"])
      expect(await works((await call(networks.split(" ").filter(Boolean))).secret)).toBe(true);
    const { secret, token } = await call(["203.0.113.0/24", "2001:db8::/48"]);
    expect((await me(secret)).errors?.[0]).toMatchObject({
      message: "This personal access token isn't accepted from your network.",
      extensions: { code: "FORBIDDEN", reason: "NETWORK_NOT_ALLOWED" },
    });
    for (const path of [`/v1/licence/${user.id}`, "/v1/plans"]) {
      const { status, json } = await app.rest("GET", path, { token: secret });
      expect([status, json.code]).toEqual([403, "network_not_allowed"]);
    }
    expect((await em().findOneOrFail(PersonalAccessToken, token.id)).lastUsedAt).toBe(null);
  });

  test.each([
    [["203.0.113.7", "2001:db8::/48"], undefined],
    [["203.0.113.0/33"], ["List IP addresses and networks, such as 203.0.113.0/24 or 2001:db8::/48."]],
    [["0.0.0.0/0"], ["List IP addresses and networks, such as 203.0.113.0/24 or 2001:db8::/48."]],
    [["office"], ["List IP addresses and networks, such as 203.0.113.0/24 or 2001:db8::/48."]],
    [Array.from({ length: 21 }, (_, index) => `203.0.113.${index}`), ["List at most 20 networks."]],
  ])("can be limited to %j: %j", async (networks, messages) => {
    const input = { name: "Export", scopes: ["PROFILE_READ"], expiresInDays: 1, networks };
    const { token } = await createSignedIn(app);
    const { data, errors } = await app.graphql("createPersonalAccessToken { token { networks } }", { input }, token);
    const fields = errors?.[0]?.extensions.fields;
    expect(fields && Object.values(fields)[0]).toEqual(messages);
    if (!messages) expect(data.createPersonalAccessToken.token.networks).toEqual(networks);
  });

  test("needs users:read as well as profile:read for another user's profile, even for admins", async () => {
    const [admin, user] = [await createAdmin(app), await createUser(app)];
    const requestProfile = async (...scopes: Scope[]) =>
      app.rest("GET", `/v1/core/accounts/${user.id}/profile`, {
        token: await createTokenWithScopes(app, admin, scopes),
      });
    expect((await requestProfile("profile:read")).json.Message).toContain('"users:read"');
    expect((await requestProfile("profile:read", "users:read")).json.email).toBe(user.email);
  });

  test("can't create, archive or change the access of an account", async () => {
    const [admin, other, user] = [await createAdmin(app), await createAdmin(app), await createUser(app)];
    const token = await createTokenWithScopes(app, admin, ["users:write", "users:read"]);
    const archive = (id: string) => app.graphql("archiveUser { id }", { id }, token);
    const refusal = { code: "FORBIDDEN", reason: "SESSION_ONLY" };
    expect((await archive(other.id)).errors?.[0]?.extensions).toMatchObject(refusal);
    const body = buildRegistration({ email: `eve-${user.id}@example.com` });
    const create = (memberType: MemberType) =>
      app.rest("POST", "/v1/core/accounts/admin-create-user", { token, body: { ...body, memberType } });
    for (const type of [MemberType.Admin, MemberType.Regular]) expect((await create(type)).status).toBe(403);
    const update = (id: string, memberType: MemberType) =>
      app.rest("PUT", "/v1/users/admin/update-user", {
        token,
        body: { ...body, email: `${id}@example.com`, id, memberType, annualDeactivationLimit: 3 },
      });
    for (const { id } of [other, user]) expect((await update(id, MemberType.Admin)).status).toBe(403);
  });
});

/** Returns a function that blocks the machine of a new device of the user, and reads `fields` of the result. */
async function blockWith(token: string, user: User) {
  const device = await createDevice(app, await createLicence(app, user));
  const ids = `userId: "${user.id}", deviceId: "${device.id}"`;
  return (fields: string) => app.graphql(`mutation { blockMachineOf(${ids}) { ${fields} } }`, {}, token);
}

describe("calling beyond the scopes", () => {
  test("rejects a change if the token can't read the result", async () => {
    const user = await createUser(app);
    const admin = await createAdmin(app);
    const token = await createTokenWithScopes(app, admin, ["users:write"]);
    const block = await blockWith(token, user);
    const { errors, status, data } = await block("id licences { id }");
    expect([status, data ?? null]).toEqual([200, null]);
    expect(errors?.[0]).toMatchObject({
      message: 'This personal access token lacks the scopes "licences:read" and "users:read".',
      extensions: { code: "FORBIDDEN", reason: "SCOPE_MISSING" },
    });
    expect(await em().count(BlockedMachine, { user: user.id })).toBe(0);
    expect((await block("id")).errors).toBeUndefined();
  });

  test("returns only the id of a changed object to a write-only token", async () => {
    const [admin, user] = [await createAdmin(app), await createUser(app)];
    const token = await createTokenWithScopes(app, admin, ["users:write"]);
    const block = await blockWith(token, user);
    expect((await block("id __typename")).data.blockMachineOf.id).toBe(user.id);
    for (const fields of ["email", "id firstName", "... on User { postCode }"]) {
      const { data, errors } = await block(fields);
      expect([data ?? null, getErrorCode({ errors })]).toEqual([null, "FORBIDDEN"]);
      expect(errors?.[0]?.message).toContain("users:read");
    }
    const both = await createTokenWithScopes(app, admin, ["users:read", "users:write"]);
    expect((await (await blockWith(both, user))("email")).data.blockMachineOf.email).toBe(user.email);
  });

  test("checks fields in fragments, aliases and excluded fields, but not other operations of the document", async () => {
    const token = await createTokenWithScopes(app, await createUser(app), ["profile:read"]);
    const two = "query Small { me { id } } query Large { me { licences { id } } }";
    for (const [query, operationName, isRefused] of [
      ["query { me { ...Own } } fragment Own on User { licences { id } }", null, true],
      ["query { me { ...A } } fragment A on User { ...B } fragment B on User { licences { id } }", null, true],
      ["{ me { ... on User { licences { id } } } }", null, true],
      ["{ mine: me { all: licences { id } } }", null, true],
      ["{ me { id licences @include(if: false) { id } } }", null, true],
      [two, "Large", true],
      [two, "Small", false],
    ] as const) {
      const body = { query, ...(operationName && { operationName }) };
      const { json } = await app.rest("POST", "/graphql", { token, body });
      const refusal = { code: "FORBIDDEN", reason: "SCOPE_MISSING" };
      if (isRefused) expect(json.errors?.[0].extensions, query).toMatchObject(refusal);
      expect([query, operationName, Boolean(json.data)]).toEqual([query, operationName, !isRefused]);
    }
  });

  test("rejects fields resolved by SQL, even after a token with the scopes has requested them", async () => {
    const admin = await createAdmin(app);
    const query = "{ users { total rows { id licences { id licenceCode } } } }";
    const may = await createTokenWithScopes(app, admin, ["users:read", "licences:read"]);
    for (let n = 0; n < 2; n++) expect((await app.graphql(query, {}, may)).errors).toBeUndefined();
    const { data, errors } = await app.graphql(query, {}, await createTokenWithScopes(app, admin, ["users:read"]));
    expect(errors?.[0]?.extensions).toMatchObject({ code: "FORBIDDEN", reason: "SCOPE_MISSING" });
    expect(data ?? null).toBeNull();
  });
});
