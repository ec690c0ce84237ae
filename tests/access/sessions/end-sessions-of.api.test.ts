import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const end = (userId: string, token?: string) =>
  app.graphql("mutation ($userId: ID!) { endSessionsOf(userId: $userId) }", { userId }, token);
const isIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const auditOf = (user: User) => app.services.orm.em.fork().find(AuditEntry, { userId: user.id });

test("an admin signs a user out everywhere: at once, nobody else, and it is audited", async () => {
  const admin = await createAdmin(app);
  const adminToken = await signInAs(app, admin);
  const user = await createUser(app);
  const tokens = [await signInAs(app, user), await signInAs(app, user)];
  const stranger = await signInAs(app, await createUser(app));
  expect((await end(user.id, adminToken)).data).toEqual({ endSessionsOf: 2 });
  for (const token of tokens) expect(await isIn(token)).toBe(false);
  expect(await isIn(stranger)).toBe(true);
  expect(await isIn(adminToken)).toBe(true);
  expect(await auditOf(user)).toMatchObject([
    { action: "end-sessions", actorId: admin.id, after: { sessionsEnded: 2 } },
  ]);
});

test("with nothing to end nothing is audited", async () => {
  const user = await createUser(app);
  expect((await end(user.id, await signInAs(app, await createAdmin(app)))).data).toEqual({ endSessionsOf: 0 });
  expect(await auditOf(user)).toEqual([]);
});

test("on their own account the session that asks goes on", async () => {
  const admin = await createAdmin(app);
  const here = await signInAs(app, admin);
  const there = await signInAs(app, admin);
  expect((await end(admin.id, here)).data).toEqual({ endSessionsOf: 1 });
  expect(await isIn(here)).toBe(true);
  expect(await isIn(there)).toBe(false);
});

test("customers may not, not even for themselves; unknown and malformed ids are answered alike", async () => {
  const user = await createUser(app);
  expect((await end(user.id, await signInAs(app, user))).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  const admin = await signInAs(app, await createAdmin(app));
  for (const id of ["00000000-0000-4000-8000-000000000000", "x", "", "\u0000"])
    expect((await end(id, admin)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("of an account that its owner deleted nothing is ended, and no name comes into the audit log again", async () => {
  const user = await createUser(app, { deletedAt: app.clock.now() });
  const { errors } = await end(user.id, await signInAs(app, await createAdmin(app)));
  expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
  expect(await auditOf(user)).toEqual([]);
});
