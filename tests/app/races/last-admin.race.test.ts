import { expect, test } from "vitest";
import { assertNotLastAdmin } from "#api/people/users/last-admin.ts";
import { User } from "#api/people/users/user.entity.ts";
import { buildRegistration, createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const ROUNDS = 30;

const activeAdmins = () => app.services.orm.em.fork().count(User, { memberType: 3, archivedAt: null, deletedAt: null });

const archiveAll = () => app.services.pool.query("update users set archived_at = now() where member_type = 3");

const archive = (id: string, token: string) => app.rest("PATCH", `/v1/users/${id}/archive`, { token });

test("keeps one of two admins who archive each other concurrently", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await archiveAll();
    const [one, other] = [await createAdmin(app), await createAdmin(app)];
    const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
    const answers = await Promise.all([archive(other.id, tokens[0]), archive(one.id, tokens[1])]);
    expect(await activeAdmins()).toBe(1);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    expect([401, 409]).toContain(statuses[1]);
  }
});

test("rejects the request of an admin who has been archived in the meantime, even if other admins remain", async () => {
  for (let round = 0; round < 10; round++) {
    await archiveAll();
    const [one, other] = [await createAdmin(app), await createAdmin(app), await createAdmin(app)];
    const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
    await Promise.all([archive(other.id, tokens[0]), archive(one.id, tokens[1])]);
    expect(await activeAdmins()).toBe(2);
  }
});

test("keeps one of two admins when one is demoted and the other archived concurrently", async () => {
  const demote = (id: string) =>
    app.services.orm.em.fork().transactional(async (em) => {
      await assertNotLastAdmin(em, id);
      await em.nativeUpdate(User, { id }, { memberType: 1 });
    });
  for (let round = 0; round < 10; round++) {
    await archiveAll();
    const [one, other] = [await createAdmin(app), await createAdmin(app)];
    const token = await signInAs(app, one);
    await Promise.allSettled([archive(other.id, token), demote(one.id)]);
    expect(await activeAdmins()).toBe(1);
  }
});

test("keeps one of two owners who remove each other's role concurrently", async () => {
  const mutation = "mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }";
  const { password: _, confirmPassword: __, ...details } = buildRegistration();
  const removeRole = ({ id, email }: User, token: string) => {
    const input = { ...details, email, memberType: 3, annualDeactivationLimit: 3, staffRoles: ["support"] };
    return app.graphql(mutation, { id, input }, token);
  };
  for (let round = 0; round < 10; round++) {
    await archiveAll();
    await createAdmin(app, { staffRoles: ["support"] });
    const [one, other] = [await createAdmin(app), await createAdmin(app, { staffRoles: ["owner"] })];
    const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
    const answers = await Promise.all([removeRole(other, tokens[0]), removeRole(one, tokens[1])]);
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const { rows } = await app.services.pool.query(
      "select from users where member_type = 3 and archived_at is null and (staff_roles = '{}' or 'owner' = any(staff_roles))",
    );
    expect(rows).toHaveLength(1);
  }
});

test("archives a customer once for concurrent requests", async () => {
  const admin = await createAdmin(app);
  const token = await signInAs(app, admin);
  const customer = await createUser(app);
  const answers = await Promise.all(Array.from({ length: 8 }, () => archive(customer.id, token)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { rows } = await app.services.pool.query("select from audit_entries where subject_id = $1", [customer.id]);
  expect(rows).toHaveLength(1);
});
