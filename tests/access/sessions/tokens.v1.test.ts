import jwt from "jsonwebtoken";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Session } from "#api/access/sessions/session.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY, MINUTE, SECOND } from "#api/platform/clock.ts";
import { MemberType } from "#schema/catalogue.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const signIn = (UserName: string, Password = testPassword) =>
  app.rest("POST", "/v1/core/auth/token", { body: { UserName, Password, ClientId: "portal", GrantType: "password" } });
const refresh = (RefreshToken: unknown) =>
  app.rest("POST", "/v1/core/auth/token", { body: { RefreshToken, ClientId: "portal", GrantType: "refresh_token" } });
const me = (token: string) => app.graphql("{ me { id } }", {}, token);

describe("signing in", () => {
  test("returns tokens with the user's identity and role as claims", async () => {
    const user = await createCorporateUser(app, { firstName: "Grace", lastName: "Hopper" });
    const { status, json } = await signIn(user.email);
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["access_token", "expires_in", "refresh_token"]);
    expect(json.expires_in).toBe(600);
    const { header, payload } = jwt.decode(json.access_token, { complete: true }) as jwt.Jwt & {
      payload: jwt.JwtPayload;
    };
    expect(header).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    expect(payload).toMatchObject({
      id: user.id,
      sub: user.email,
      given_name: "Grace",
      family_name: "Hopper",
      rol: "corporate",
      aud: "xer-portal",
      iss: "http://portal.test",
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  });

  test("accepts the address in any letter case", async () => {
    const user = await createUser(app);
    expect((await signIn(user.email.toUpperCase())).status).toBe(200);
  });

  test("returns the same error for a wrong password and an unknown address", async () => {
    const user = await createUser(app);
    const wrong = await signIn(user.email, "Wrong-pass-1");
    const unknown = await signIn("nobody@example.com", "Wrong-pass-1");
    expect(wrong.status).toBe(400);
    expect(wrong.json).toEqual({ invalid_grant: ["Sorry, your user name or password is incorrect."] });
    expect(unknown.text).toBe(wrong.text);
  });

  test("returns the confirmation handle of an unconfirmed account only with the correct password", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    expect((await signIn(user.email)).json).toEqual({ not_confirmed: [user.confirmationHandle] });
    expect((await signIn(user.email, "Wrong-pass-1")).json).toHaveProperty("invalid_grant");
  });

  test("reports an archived account only with the correct password", async () => {
    const user = await createUser(app, { archivedAt: app.clock.now() });
    expect((await signIn(user.email)).json).toEqual({
      not_active: ["Sorry, your account is not active. Please contact support."],
    });
    expect((await signIn(user.email, "Wrong-pass-1")).json).toHaveProperty("invalid_grant");
  });

  test.each([
    [{}, ["GrantType", "ClientId"]],
    [{ GrantType: "password", ClientId: "portal" }, ["UserName", "Password"]],
    [{ GrantType: "password", ClientId: "elsewhere", UserName: "a@b.co", Password: "x" }, ["ClientId"]],
    [{ GrantType: "client_credentials", ClientId: "portal" }, ["GrantType"]],
    [{ GrantType: "refresh_token", ClientId: "portal" }, ["RefreshToken"]],
    [{ GrantType: "password", ClientId: "portal", UserName: { a: 1 }, Password: ["x"] }, ["UserName", "Password"]],
    [{ GrantType: "password", ClientId: "portal", UserName: "a\u0000@b.co", Password: "x" }, ["UserName"]],
  ])("rejects %j and names the fields", async (body, fields) => {
    const { status, json } = await app.rest("POST", "/v1/core/auth/token", { body });
    expect(status).toBe(400);
    expect(Object.keys(json).sort()).toEqual([...fields].sort());
  });
});

describe("access token", () => {
  test("expires after ten minutes by the application's clock", async () => {
    const token = await signInAs(app, await createUser(app));
    expect((await me(token)).data?.me).toBeTruthy();
    app.clock.setOffset(app.clock.offsetMs + 10 * MINUTE + SECOND);
    expect((await me(token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });

  test("is rejected if it is signed with another key or algorithm or has another audience or type", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const payload = jwt.decode(token) as jwt.JwtPayload;
    const { kid, privateKey } = app.services.keys.current;
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const publicPem = app.services.keys.current.publicKey.export({ type: "spki", format: "pem" }) as string;
    const header = { alg: "ES256", typ: "at+jwt" } as const;
    const forged = [
      jwt.sign(payload, stranger, { algorithm: "ES256", keyid: kid, header }),
      jwt.sign(payload, publicPem, {
        algorithm: "HS256",
        keyid: kid,
        header: { alg: "HS256", typ: "at+jwt" },
        allowInvalidAsymmetricKeyTypes: true,
      }),
      jwt.sign({ ...payload, aud: "elsewhere" }, privateKey, { algorithm: "ES256", keyid: kid, header }),
      jwt.sign({ ...payload, iss: "https://evil.example" }, privateKey, { algorithm: "ES256", keyid: kid, header }),
      jwt.sign(payload, privateKey, { algorithm: "ES256", keyid: kid, header: { alg: "ES256", typ: "licence-proof" } }),
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${token.split(".")[1]}.`,
      `${token.slice(0, -4)}AAAA`,
    ];
    for (const one of forged) expect((await me(one)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
    expect((await me(token)).data?.me.id).toBe(user.id);
  });

  test("stops working on the next request after the session ends, the account is archived or the role changes", async () => {
    const ended = await createUser(app);
    const endedToken = await signInAs(app, ended);
    await app.services.orm.em.fork().nativeUpdate(Session, { user: ended.id }, { endedAt: app.clock.now() });
    expect((await me(endedToken)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");

    const archived = await createUser(app);
    const archivedToken = await signInAs(app, archived);
    await app.services.orm.em.fork().nativeUpdate(User, archived.id, { archivedAt: app.clock.now() });
    expect((await me(archivedToken)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");

    const demoted = await createAdmin(app);
    const demotedToken = await signInAs(app, demoted);
    await app.services.orm.em.fork().nativeUpdate(User, demoted.id, { memberType: MemberType.Regular });
    expect((await app.graphql("{ users { total } }", {}, demotedToken)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  });
});

describe("refresh token", () => {
  test("is exchanged for a new token, and for the same new token again within the grace period", async () => {
    const user = await createUser(app);
    const first = (await signIn(user.email)).json.refresh_token;
    const second = (await refresh(first)).json.refresh_token;
    expect(second).not.toBe(first);
    expect((await refresh(first)).json.refresh_token).toBe(second);
    expect((await refresh(second)).status).toBe(200);
  });

  test("ends the session if it is reused after the grace period", async () => {
    const user = await createUser(app);
    const { access_token, refresh_token: first } = (await signIn(user.email)).json;
    const second = (await refresh(first)).json.refresh_token;
    const sid = (jwt.decode(access_token) as { sid: string }).sid;
    // The grace period counts real seconds, so the test backdates the rotation instead of waiting.
    await app.services.pool.query(
      "update refresh_tokens set rotated_at = rotated_at - interval '11 seconds' where session_id = $1 and rotated_at is not null",
      [sid],
    );
    const stolen = await refresh(first);
    expect(stolen.status).toBe(400);
    expect(stolen.json).toEqual({ invalid_refreshtoken: ["Your session has ended. Please sign in again."] });
    expect((await refresh(second)).status).toBe(400);
    expect((await me(access_token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });

  test("expires unused after 14 days, and its session after 30 days of use", async () => {
    const idle = (await signIn((await createUser(app)).email)).json.refresh_token;
    let used = (await signIn((await createUser(app)).email)).json.refresh_token;
    for (let day = 0; day < 28; day += 7) {
      app.clock.setOffset(app.clock.offsetMs + 7 * DAY);
      const answer = await refresh(used);
      expect(answer.status).toBe(200);
      used = answer.json.refresh_token;
    }
    expect((await refresh(idle)).status).toBe(400);
    app.clock.setOffset(app.clock.offsetMs + 3 * DAY);
    expect((await refresh(used)).status).toBe(400);
  });

  test("works only for the client that it was issued to", async () => {
    const { refresh_token: token } = (await signIn((await createUser(app)).email)).json;
    const body = { RefreshToken: token, ClientId: "addin", GrantType: "refresh_token" };
    expect((await app.rest("POST", "/v1/core/auth/token", { body })).json).toHaveProperty("invalid_refreshtoken");
    expect((await refresh(token)).status).toBe(200);
  });

  test.each(["", "x", "a".repeat(900), "'; drop table users; --"])(
    "is rejected if it is malformed, such as %j",
    async (token) => {
      expect((await refresh(token)).status).toBe(400);
    },
  );
});

describe("signing out", () => {
  test("ends the session of the bearer token immediately", async () => {
    const token = await signInAs(app, await createUser(app));
    expect((await app.rest("POST", "/v1/core/auth/revoke", { token })).json).toBe(true);
    expect((await me(token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });

  test("works with only the refresh token and ignores an unknown one", async () => {
    const { refresh_token } = (await signIn((await createUser(app)).email)).json;
    expect((await app.rest("POST", "/v1/core/auth/revoke", { body: { RefreshToken: refresh_token } })).status).toBe(
      200,
    );
    expect((await refresh(refresh_token)).status).toBe(400);
    expect((await app.rest("POST", "/v1/core/auth/revoke", { body: { RefreshToken: "unknown" } })).status).toBe(200);
  });

  test("returns 401 without any token", async () => {
    expect((await app.rest("POST", "/v1/core/auth/revoke", { body: {} })).status).toBe(401);
  });
});
