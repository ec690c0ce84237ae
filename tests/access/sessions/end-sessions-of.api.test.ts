import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
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
