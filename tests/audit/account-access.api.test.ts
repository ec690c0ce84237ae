import { expect, test } from "vitest";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";
import { MemberType } from "#schema/user.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const query = "{ accountAccess(first: 10) { rows { at kind role description } } }";

test("shows a customer who viewed, exported and changed their account, by role and without names", async () => {
  const early = await createAdmin(app, { staffRoles: ["finance"] });
  const admin = await createAdmin(app, { staffRoles: ["support"], firstName: "Grace", lastName: "Hopper" });
  const token = await signInAs(app, admin);
  const [user, other] = [await createUser(app), await createUser(app)];
  const send = (text: string) => app.graphql(text, { id: user.id }, token);
  await send("mutation ($id: ID!) { viewAsCustomer(userId: $id) { expiresIn } }");
  await send('mutation ($id: ID!) { addComment(userId: $id, comment: "Never shown") { id } }');
  await send("mutation ($id: ID!) { sendPasswordReset(userId: $id) { id } }");
  const context = app.context();
  const subject = { type: "invoice", id: user.id, name: "Q-1" } as const;
  await context.em.transactional((em) =>
    recordChange(context, em, { action: "accept-quote", subject, userId: user.id, after: { acceptedBy: "Ada" } }),
  );
  const statement = { userId: user.id, startDate: "2026-01-01", endDate: "2026-03-31", format: "csv" };
  expect((await app.rest("POST", "/v1/admin/statement/download", { token, body: statement })).status).toBe(200);
  const body = { columns: ["email"], sortBy: "EMAIL", userTypes: [1] };
  expect((await app.rest("POST", "/v1/users/export", { token: await signInAs(app, early), body })).status).toBe(200);
  const { data, errors } = await app.graphql(query, {}, await signInAs(app, user));
  expect(errors).toBeUndefined();
  const rows = data.accountAccess.rows as { kind: string; role: string; description: string }[];
  expect(rows.map(({ kind, role }) => `${kind} by ${role}`)).toEqual([
    "EXPORTED by Finance",
    "EXPORTED by Support",
    "CHANGED by Support",
    "VIEWED by Support",
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/Grace|Hopper|@|Never shown/);
  await app.context().em.nativeUpdate(User, { id: early.id }, { memberType: MemberType.Regular, staffRoles: [] });
  const { data: foreign } = await app.graphql(query, {}, await signInAs(app, other));
  expect(foreign.accountAccess.rows).toMatchObject([{ kind: "EXPORTED", role: "Former staff" }]);
});
