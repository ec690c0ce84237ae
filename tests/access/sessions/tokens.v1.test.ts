import jwt from "jsonwebtoken";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { generateSigningJwk, type SigningKeys, toSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { MemberType } from "#schema/user.ts";
import { createAccountCalls, freshEmail, getErrorCode } from "#tests/factories/account.ts";
import { buildRegistration, createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { whenDone } from "#tests/support/when-done.ts";

const app = await startTestApp();
const { loadMe, refresh, register, signIn } = createAccountCalls(app);
const revoke = (options: object) => app.rest("POST", "/v1/core/auth/revoke", options);

describe("signing in", () => {
  test("returns tokens with the user's identity and role as claims", async () => {
    const user = await createCorporateUser(app);
    const { status, json } = await signIn(user.email.toUpperCase());
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["access_token", "expires_in", "refresh_token"]);
    expect(json.expires_in).toBe(600);
    expect(jwt.decode(json.access_token)).toMatchObject({ id: user.id, sub: user.email, rol: "corporate" });
  });

  test("returns identical responses to a wrong password for every kind of address", async () => {
    const mutation =
      "mutation ($input: SignInInput!) { signIn(input: $input) { problem message confirmationHandle session { expiresIn } } }";
    const tryBoth = async (email: string) => {
      const { status, headers, json } = await signIn(email, "Wrong-pass-1");
      const shown = [...headers.keys()].filter((name) => name !== "date").toSorted();
      return [status, shown, json, await app.graphql(mutation, { input: { email, password: "Wrong-pass-1" } })];
    };
    // Confirmed account with an address that was registered a second time.
    const wanted = await createUser(app);
    await register(buildRegistration({ email: wanted.email }));
    const expected = await tryBoth("nobody@example.com");
    expect(expected[2]).toEqual({ invalid_grant: ["Sorry, your user name or password is incorrect."] });
    for (const changes of [{}, { emailConfirmedAt: null }, { archivedAt: app.clock.now() }])
      expect(await tryBoth((await createUser(app, changes)).email)).toEqual(expected);
    expect(await tryBoth(wanted.email)).toEqual(expected);
  });

  test("accepts a password in every spelling, also one that was stored before spellings were unified", async () => {
    const composed = "Gäntt\u00a0charts-44";
    const decomposed = composed.normalize("NFD");
    const unified = await createUser(app);
    await app.context().em.nativeUpdate(User, unified.id, { passwordHash: await hashPassword("Gäntt charts-44") });
    const former = await createUser(app);
    await app.context().em.nativeUpdate(User, former.id, { passwordHash: await hashPassword(decomposed) });
    for (const { email } of [unified, former])
      for (const password of [composed, decomposed]) expect((await signIn(email, password)).status).toBe(200);
    expect((await signIn(unified.email, "Gantt charts-44")).status).toBe(400);
  });

  test("says only after the correct password that an account is unconfirmed or archived", async () => {
    const unconfirmed = await createUser(app, { emailConfirmedAt: null });
    expect((await signIn(unconfirmed.email)).json).toEqual({ not_confirmed: [unconfirmed.confirmationHandle] });
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    expect((await signIn(archived.email)).json).toEqual({
      not_active: ["Sorry, your account is not active. Please contact support."],
    });
  });

  test("doesn't reveal whether a newly registered address already had an account", async () => {
    const [free, owner] = [freshEmail(), await createUser(app)];
    const passwords = ["Critical-path-1", "Critical-path-2"];
    for (const email of [free, owner.email])
      for (const password of passwords)
        await register(buildRegistration({ email, password, confirmPassword: password }));
    const handlesAside = async (email: string, password: string) => {
      const { status, text } = await signIn(email, password);
      return [status, text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "handle")];
    };
    for (const password of passwords)
      expect(await handlesAside(owner.email, password), password).toEqual(await handlesAside(free, password));
    expect((await signIn(free, passwords[1])).json).toHaveProperty("not_confirmed");
    expect((await signIn(owner.email)).status).toBe(200);
  });

  test("names the fields of an invalid request", async () => {
    for (const [body, fields] of [
      [{}, ["ClientId", "GrantType"]],
      [{ GrantType: "password", ClientId: "portal" }, ["Password", "UserName"]],
      [{ GrantType: "password", ClientId: "elsewhere", UserName: "a@b.co", Password: "x" }, ["ClientId"]],
      [{ GrantType: "client_credentials", ClientId: "portal" }, ["GrantType"]],
      [{ GrantType: "refresh_token", ClientId: "portal" }, ["RefreshToken"]],
      [{ GrantType: "password", ClientId: "portal", UserName: { a: 1 }, Password: ["x"] }, ["Password", "UserName"]],
      [{ GrantType: "password", ClientId: "portal", UserName: "a\u0000@b.co", Password: "x" }, ["UserName"]],
    ] as const) {
      const { status, json } = await app.rest("POST", "/v1/core/auth/token", { body });
      expect([body, status, Object.keys(json).toSorted()]).toEqual([body, 400, fields]);
    }
  });
});

test("an access token stops working on the next request after the session ends, the account is archived or the role changes", async () => {
  const em = app.context().em;
  const [ended, archived, demoted] = [await createUser(app), await createUser(app), await createAdmin(app)];
  const tokens = [await signInAs(app, ended), await signInAs(app, archived)];
  const demotedToken = await signInAs(app, demoted);
  await em.nativeUpdate(Session, { user: ended.id }, { endedAt: app.clock.now() });
  await em.nativeUpdate(User, archived.id, { archivedAt: app.clock.now() });
  await em.nativeUpdate(User, demoted.id, { memberType: MemberType.Regular });
  for (const token of tokens) expect(getErrorCode(await loadMe(token))).toBe("UNAUTHENTICATED");
  expect(getErrorCode(await app.graphql("users { total }", {}, demotedToken))).toBe("FORBIDDEN");
});

describe("refresh token", () => {
  const signInFresh = async () => (await signIn((await createUser(app)).email)).json;

  test("is exchanged for one that only the server can compute, and again for the same within the grace period", async () => {
    const { refresh_token: first } = await signInFresh();
    const second = (await refresh(first)).json.refresh_token;
    expect(second).not.toBe(first);
    for (const purpose of ["refresh successor", "refresh successors"])
      expect(second).not.toBe(createHmac("sha256", first).update(purpose).digest("base64url"));
    expect((await refresh(first)).json.refresh_token).toBe(second);
    // Also after the keys were rotated.
    const services = app.services as { keys: SigningKeys };
    const { keys } = services;
    const jwks = keys.all.map(({ kid, privateKey }) => ({ ...privateKey.export({ format: "jwk" }), kid }));
    services.keys = toSigningKeys([generateSigningJwk(), ...jwks]);
    whenDone(() => void (services.keys = keys));
    expect((await refresh(first)).json.refresh_token).toBe(second);
    expect((await refresh(second)).status).toBe(200);
  });

  test("ends the session if it is reused after the grace period", async () => {
    const { access_token, refresh_token: first } = await signInFresh();
    const second = (await refresh(first)).json.refresh_token;
    const { sid } = jwt.decode(access_token) as { sid: string };
    // The grace period counts real seconds, so the test backdates the rotation instead of waiting.
    await app.services.pool.query(
      "update refresh_tokens set rotated_at = rotated_at - interval '11 seconds' where session_id = $1 and rotated_at is not null",
      [sid],
    );
    expect(await refresh(first)).toMatchObject({
      status: 400,
      json: { invalid_refreshtoken: ["Your session has ended. Please sign in again."] },
    });
    expect((await refresh(second)).status).toBe(400);
    expect(getErrorCode(await loadMe(access_token))).toBe("UNAUTHENTICATED");
  });

  test("expires unused after 14 days, and its session after 30 days of use", async () => {
    const idle = (await signInFresh()).refresh_token;
    let used = (await signInFresh()).refresh_token;
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

  test("is rejected if it is malformed", async () => {
    for (const token of ["", "x", "a".repeat(900), "'; drop table users; --"])
      expect((await refresh(token)).status).toBe(400);
  });

  test("is accepted only with the client id of its session", async () => {
    const { email } = await createUser(app);
    const { refresh_token } = (await signIn(email, undefined, "addin")).json;
    expect((await refresh(refresh_token)).json).toHaveProperty("invalid_refreshtoken");
    expect((await refresh(refresh_token, "addin")).status).toBe(200);
  });

  test("ends its session at sign-out, as the access token does", async () => {
    const token = await signInAs(app, await createUser(app));
    expect((await revoke({ token })).json).toBe(true);
    expect(getErrorCode(await loadMe(token))).toBe("UNAUTHENTICATED");
    const { refresh_token } = await signInFresh();
    expect((await revoke({ body: { RefreshToken: refresh_token } })).status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(400);
    expect((await revoke({ body: { RefreshToken: "unknown" } })).status).toBe(200);
    expect((await revoke({ body: {} })).status).toBe(401);
  });
});
