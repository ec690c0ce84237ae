import { describe, expect, test, afterEach } from "vitest";
import { MAX_TOKEN_DAYS, MAX_TOKENS } from "#schema/personal-access-token.ts";
import { DAY } from "#api/platform/clock.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { createAccountCalls, getErrorCode } from "#tests/factories/account.ts";
import { createToken, createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import {
  createAdmin,
  createCorporateUser,
  createUser,
  signInAs,
  testPassword,
  createSignedIn,
} from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const advanceClock = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);
const em = () => app.services.orm.em.fork();

const tokenFields = "id name scopes hint createdAt expiresAt lastUsedAt revokedAt";
function requestToken(token: string, changes: Record<string, unknown> = {}) {
  const input = { name: "Nightly export", scopes: ["LICENCES_READ"], expiresInDays: 30, ...changes };
  return app.graphql(`createPersonalAccessToken { secret token { ${tokenFields} } }`, { input }, token);
}
const revoke = (id: string, token: string) => app.graphql("revokePersonalAccessToken { id revokedAt }", { id }, token);
const list = async (token: string) =>
  (await app.graphql("personalAccessTokens { id name }", {}, token)).data?.personalAccessTokens;
const { changePassword, isSignedIn: works } = createAccountCalls(app);

describe("creating a token", () => {
  test("returns the token once, stores a hash and four characters, and emails its owner", async () => {
    const { user, token: session } = await createSignedIn(app);
    const { data } = await requestToken(session, { scopes: ["BILLING_READ", "LICENCES_READ", "BILLING_READ"] });
    const { secret, token } = data.createPersonalAccessToken;
    expect(secret).toMatch(/^xpat_[\w-]{43}$/);
    expect(token).toMatchObject({
      name: "Nightly export",
      scopes: ["LICENCES_READ", "BILLING_READ"],
      hint: secret.slice(-4),
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(30 * DAY);
    const row = await em().findOneOrFail(PersonalAccessToken, token.id);
    expect(row.tokenHash).toBe(hashSecret(secret));
    expect(JSON.stringify(row)).not.toContain(secret.slice(5, 30));

    const [mail] = await listEmailsTo(app, user.email);
    expect(mail?.subject).toContain("personal access token");
    for (const part of ["Nightly export", "Read licences, Read billing", "/personal-access-tokens/"])
      expect(mail?.text).toContain(part);
    expect(`${mail?.html}${mail?.text}`).not.toContain(secret.slice(0, 20));
    expect(await list(session)).toEqual([{ id: token.id, name: "Nightly export" }]);
  });

  test("rejects invalid values, and scopes that the user's role can't have", async () => {
    const session = await signInAs(app, await createUser(app));
    for (const [input, field] of [
      [{ name: "  " }, "name"],
      [{ name: "x".repeat(81) }, "name"],
      [{ name: "a\nb" }, "name"],
      [{ scopes: [] }, "scopes"],
      [{ scopes: ["USERS_READ"] }, "scopes"],
      [{ expiresInDays: 0 }, "expiresInDays"],
      [{ expiresInDays: MAX_TOKEN_DAYS + 1 }, "expiresInDays"],
    ] as const) {
      const { code, fields } = (await requestToken(session, input)).errors?.[0]?.extensions ?? {};
      expect([input, code, Object.keys(fields ?? {})]).toEqual([input, "BAD_USER_INPUT", [field]]);
    }
    // Corporate customers have invoices.
    const corporate = await signInAs(app, await createCorporateUser(app));
    expect(getErrorCode(await requestToken(corporate, { scopes: ["BILLING_READ"] }))).toBeUndefined();
    expect(getErrorCode(await requestToken(corporate, { scopes: ["USERS_READ"] }))).toBe("BAD_USER_INPUT");
  });

  test(`rejects more than ${MAX_TOKENS} live tokens until one is revoked or expires`, async () => {
    const { user, token: session } = await createSignedIn(app);
    const now = app.clock.now();
    const [first] = await Promise.all(Array.from({ length: MAX_TOKENS - 1 }, () => createToken(app, user)));
    await createToken(app, user, ["profile:read"], { expiresAt: now });
    await createToken(app, user, ["profile:read"], { revokedAt: now });
    expect(getErrorCode(await requestToken(session))).toBeUndefined();
    expect(getErrorCode(await requestToken(session))).toBe("CONFLICT");
    await revoke(first?.token.id ?? "", session);
    expect(getErrorCode(await requestToken(session))).toBeUndefined();
  });

  test("records an audit entry for admins only", async () => {
    const [admin, user] = [await createAdmin(app), await createUser(app)];
    for (const one of [admin, user]) await requestToken(await signInAs(app, one), { scopes: ["LICENCES_READ"] });
    const entries = await em().find(AuditEntry, { userId: { $in: [admin.id, user.id] } });
    expect(entries).toMatchObject([{ action: "create-token", userId: admin.id, after: { scopes: ["licences:read"] } }]);
    expect(JSON.stringify(entries)).not.toContain("xpat_");
  });
});

describe("revoking a token", () => {
  test("takes effect on the next request over REST and GraphQL and can be repeated", async () => {
    const { user, token: session } = await createSignedIn(app);
    const { secret, token } = await createToken(app, user, ["profile:read", "licences:read"]);
    const stranger = await signInAs(app, await createUser(app));
    expect(getErrorCode(await revoke(token.id, stranger))).toBe("NOT_FOUND");
    expect(await works(secret)).toBe(true);
    const { data } = await revoke(token.id, session);
    expect(data.revokePersonalAccessToken.revokedAt).not.toBeNull();
    expect(await works(secret)).toBe(false);
    expect((await app.rest("GET", `/v1/licence/${user.id}`, { token: secret })).status).toBe(401);
    advanceClock(5_000);
    expect((await revoke(token.id, session)).data).toEqual(data);
    app.clock.setOffset(0);
    expect(await list(session)).toEqual([]);
  });

  test("lets an admin list and revoke a user's tokens, and records one audit entry without secrets", async () => {
    const [admin, user] = [await createAdmin(app), await createUser(app)];
    const { secret, token } = await createToken(app, user);
    await createToken(app, user, ["profile:read"], { revokedAt: app.clock.now() });
    const session = await signInAs(app, admin);
    const fields = "personalAccessTokens { id name hint lastUsedIp }";
    expect((await app.graphql(`user { ${fields} }`, { id: user.id }, session)).data.user.personalAccessTokens).toEqual([
      { id: token.id, name: "Nightly export", hint: secret.slice(-4), lastUsedIp: null },
    ]);
    for (let n = 0; n < 2; n++) expect((await revoke(token.id, session)).errors).toBeUndefined();
    expect(await works(secret)).toBe(false);
    const entries = await em().find(AuditEntry, { userId: user.id });
    expect(entries).toMatchObject([
      { action: "revoke-token", actorId: admin.id, subjectId: token.id, before: { name: "Nightly export" } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`xpat_|${hashSecret(secret)}`));
  });
});

test("shows expired tokens for 30 days and deletes expired and revoked ones after 90", async () => {
  const user = await createUser(app);
  const { token } = await createToken(app, user);
  const revoked = await createToken(app, user, ["profile:read"], { revokedAt: app.clock.now() });
  const kept = async () => (await em().find(PersonalAccessToken, { user: user.id })).map(({ id }) => id).toSorted();
  advanceClock(31 * DAY);
  expect(await list(await signInAs(app, user))).toEqual([{ id: token.id, name: "Nightly export" }]);
  advanceClock(30 * DAY);
  expect(await list(await signInAs(app, user))).toEqual([]);
  await findPurge("personal-access-tokens").run(app.context());
  expect(await kept()).toEqual([token.id, revoked.token.id].toSorted());
  advanceClock(30 * DAY);
  await findPurge("personal-access-tokens").run(app.context());
  expect(await kept()).toEqual([token.id]);
  advanceClock(30 * DAY);
  await findPurge("personal-access-tokens").run(app.context());
  expect(await kept()).toEqual([]);
});

describe("account changes", () => {
  test("keeps tokens after a password change and mentions them in the email", async () => {
    const user = await createUser(app);
    const token = await createTokenWithScopes(app, user, ["profile:read"]);
    expect((await changePassword(await signInAs(app, user))).status).toBe(200);
    expect(await works(token)).toBe(true);
    const [mail] = await listEmailsTo(app, user.email);
    expect(mail?.text).toContain("One personal access token still works.");
    expect(mail?.text).toContain("/personal-access-tokens/");
  });

  test("exports tokens without their hash and deletes them with the account", async () => {
    const { user, token: session } = await createSignedIn(app);
    const { secret, token } = await createToken(app, user);
    const { text, json } = await app.rest("GET", "/v1/core/accounts/my-data", { token: session });
    expect(json.personalAccessTokens).toMatchObject([{ name: "Nightly export", scopes: ["profile:read"] }]);
    expect(text).not.toContain(token.tokenHash);
    await app.graphql("deleteMyAccount { id }", { input: { password: testPassword } }, session);
    expect(await works(secret)).toBe(false);
    expect(await em().count(PersonalAccessToken, { user: user.id })).toBe(0);
  });
});
