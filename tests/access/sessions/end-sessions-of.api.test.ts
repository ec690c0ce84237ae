import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { createSignInChallenge } from "#api/access/two-step/challenges.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-challenge.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { buildRegistration, createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const end = (userId: string, token?: string) =>
  app.graphql("mutation ($userId: ID!) { endSessionsOf(userId: $userId) }", { userId }, token);
const isSignedIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const loadAuditEntries = (user: User) => app.services.orm.em.fork().find(AuditEntry, { userId: user.id });

test("lets an admin sign a user out everywhere and records an audit entry", async () => {
  const admin = await createAdmin(app);
  const adminToken = await signInAs(app, admin);
  const user = await createUser(app);
  const tokens = [await signInAs(app, user), await signInAs(app, user)];
  const stranger = await signInAs(app, await createUser(app));
  expect((await end(user.id, adminToken)).data).toEqual({ endSessionsOf: 2 });
  for (const token of tokens) expect(await isSignedIn(token)).toBe(false);
  expect(await isSignedIn(stranger)).toBe(true);
  expect(await isSignedIn(adminToken)).toBe(true);
  expect(await loadAuditEntries(user)).toMatchObject([
    { action: "end-sessions", actorId: admin.id, after: { sessionsEnded: 2 } },
  ]);
});

test("records no audit entry if there is no session to end", async () => {
  const user = await createUser(app);
  expect((await end(user.id, await signInAs(app, await createAdmin(app)))).data).toEqual({ endSessionsOf: 0 });
  expect(await loadAuditEntries(user)).toEqual([]);
});

test("revokes tokens and cancels unfinished sign-ins, a pending email change and reset links", async () => {
  const user = await createUser(app);
  const own = await signInAs(app, user);
  const { secret } = await createToken(app, user);
  const pending = buildRegistration().email as string;
  const prepare = async () => {
    const { password: _, confirmPassword: __, ...body } = buildRegistration({ email: pending });
    await app.rest("PUT", "/v1/core/accounts/update-profile", { body, token: own });
    await app.rest("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
    const context = app.context();
    createSignInChallenge(context, context.em, await context.em.findOneOrFail(User, user.id), "portal");
    await context.em.flush();
  };
  const countOpen = async () => {
    const em = app.services.orm.em.fork();
    const { pendingEmail } = await em.findOneOrFail(User, user.id);
    const unused = await em.count(EmailToken, { user: user.id, spentAt: null });
    return { pendingEmail, unused, signIns: await em.count(TwoStepChallenge, { user: user.id }) };
  };
  await prepare();
  expect(await countOpen()).toEqual({ pendingEmail: pending, unused: 2, signIns: 1 });
  expect((await end(user.id, await signInAs(app, await createAdmin(app)))).data).toEqual({ endSessionsOf: 1 });
  expect(await countOpen()).toEqual({ pendingEmail: null, unused: 0, signIns: 0 });
  expect(await isSignedIn(secret)).toBe(false);
  expect(await loadAuditEntries(user)).toMatchObject([
    { action: "end-sessions", after: { sessionsEnded: 1, tokensRevoked: 1, linksCancelled: true } },
  ]);
});

test("lets users revoke the same by ending their other sessions", async () => {
  const user = await createUser(app);
  const here = await signInAs(app, user);
  const { secret } = await createToken(app, user);
  const { password: _, confirmPassword: __, ...body } = buildRegistration();
  await app.rest("PUT", "/v1/core/accounts/update-profile", { body, token: here });
  expect((await app.graphql("mutation { endOtherSessions }", {}, here)).data).toEqual({ endOtherSessions: 0 });
  expect(await isSignedIn(secret)).toBe(false);
  expect((await app.graphql("{ me { pendingEmail } }", {}, here)).data.me).toEqual({ pendingEmail: null });
  expect(await app.services.orm.em.fork().count(EmailToken, { user: user.id, spentAt: null })).toBe(0);
});

test("keeps the admin's current session on their own account", async () => {
  const admin = await createAdmin(app);
  const here = await signInAs(app, admin);
  const there = await signInAs(app, admin);
  expect((await end(admin.id, here)).data).toEqual({ endSessionsOf: 1 });
  expect(await isSignedIn(here)).toBe(true);
  expect(await isSignedIn(there)).toBe(false);
});

test("rejects customers and returns the same response for unknown and malformed ids", async () => {
  const user = await createUser(app);
  expect((await end(user.id, await signInAs(app, user))).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  const admin = await signInAs(app, await createAdmin(app));
  for (const id of ["00000000-0000-4000-8000-000000000000", "x", "", "\u0000"])
    expect((await end(id, admin)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("rejects a deleted account and records no name in the audit log", async () => {
  const user = await createUser(app, { deletedAt: app.clock.now() });
  const { errors } = await end(user.id, await signInAs(app, await createAdmin(app)));
  expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
  expect(await loadAuditEntries(user)).toEqual([]);
});
