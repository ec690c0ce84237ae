import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createToken, createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { buildRegistration, createAdmin, createUser, signInAs, signInWithOldProof } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { toCodeName } from "#schema/closed-list.ts";
import { toInput } from "#schema/field.ts";
import { userFields } from "#schema/user.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const createMutation = "mutation ($input: CreateUserInput!) { createUser(input: $input) { id staffRoles } }";
const updateMutation =
  "mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { staffRoles memberType } }";

const signInWith = async (...staffRoles: User["staffRoles"]) => signInAs(app, await createAdmin(app, { staffRoles }));
/** Returns an input with the codes that GraphQL expects. */
const toCodes = ({ staffRoles, ...rest }: { staffRoles?: string[]; memberType?: number }) => ({
  ...toInput(userFields, rest),
  ...(staffRoles ? { staffRoles: staffRoles.map(toCodeName) } : {}),
});
const create = (token: string, changes: object) =>
  app.graphql(createMutation, { input: toCodes({ ...buildRegistration(), ...changes } as object) }, token);
function update(token: string, user: User, changes: object) {
  const { password: _, confirmPassword: __, ...rest } = buildRegistration();
  const { email, memberType } = user;
  return app.graphql(
    updateMutation,
    { id: user.id, input: toCodes({ ...rest, email, memberType, annualDeactivationLimit: 3, ...changes } as object) },
    token,
  );
}
const getCode = (answer: { errors: { extensions: { code: string } }[] | undefined }) =>
  answer.errors?.[0]?.extensions.code;

describe("owners", () => {
  test("create admins with roles, and change them, which is audited and emailed to every owner", async () => {
    const owner = await createAdmin(app);
    const token = await signInAs(app, owner);
    const colleague = await createAdmin(app, { staffRoles: ["owner"] });
    const supporter = await createAdmin(app, { staffRoles: ["support"] });
    const created = await create(token, { memberType: 3, staffRoles: ["finance", "support", "finance"] });
    expect(created.data.createUser.staffRoles).toEqual(["SUPPORT", "FINANCE"]);
    const user = await em().findOneOrFail(User, created.data.createUser.id);
    expect((await update(token, user, { staffRoles: ["release"] })).data.updateUser.staffRoles).toEqual(["RELEASE"]);
    expect((await update(token, user, { firstName: "Mary" })).data.updateUser.staffRoles).toEqual(["RELEASE"]);

    const entries = await em().find(AuditEntry, { subjectId: user.id, action: "update-user" }, { orderBy: { at: 1 } });
    expect(entries[0]).toMatchObject({
      before: { staffRoles: ["support", "finance"] },
      after: { staffRoles: ["release"] },
    });
    for (const { email } of [owner, colleague])
      expect((await listEmailsTo(app, email)).map(({ text }) => text)).toEqual([
        expect.stringMatching(/Before:? *Admin \(Support, Finance\)[\s\S]*Now:? *Admin \(Release\)/),
        expect.stringMatching(/Before:? *None[\s\S]*Now:? *Admin \(Support, Finance\)/),
      ]);
    expect(await listEmailsTo(app, supporter.email)).toEqual([]);
  });

  test("can't give roles to customers, and demoting an admin removes the roles", async () => {
    const token = await signInWith("owner");
    const refused = await create(token, { memberType: 1, staffRoles: ["support"] });
    expect(refused.errors?.[0]?.extensions.fields).toEqual({ staffRoles: ["Only admins have roles."] });
    const unknown = await create(token, { memberType: 3, staffRoles: ["boss"] });
    expect(getCode(unknown)).toBe("BAD_USER_INPUT");
    const admin = await createAdmin(app, { staffRoles: ["support"] });
    expect((await update(token, admin, { memberType: 2 })).data.updateUser).toEqual({
      staffRoles: [],
      memberType: "CORPORATE",
    });
  });

  test("can't remove their own owner role", async () => {
    await createAdmin(app);
    const owner = await createAdmin(app, { staffRoles: ["owner"] });
    const token = await signInAs(app, owner);
    const refused = await update(token, owner, { staffRoles: ["support"] });
    expect(refused.errors?.[0]).toMatchObject({
      message: "You can't remove your own owner role. Ask another owner to do it.",
      extensions: { code: "CONFLICT" },
    });
    expect((await update(token, owner, { staffRoles: ["owner", "support"] })).errors).toBeUndefined();
  });
});

describe("support", () => {
  test("changes customers, but never creates, changes, archives or erases an admin", async () => {
    const supporter = await createAdmin(app, { staffRoles: ["support"] });
    const token = await signInAs(app, supporter);
    const customer = await createUser(app);
    const admin = await createAdmin(app, { staffRoles: ["release"] });
    expect((await create(token, { memberType: 1 })).errors).toBeUndefined();
    expect((await update(token, customer, { firstName: "Mary" })).errors).toBeUndefined();
    const call = (name: string, user: User) =>
      app.graphql(`mutation ($id: ID!) { ${name}(id: $id) { id } }`, { id: user.id }, token);
    const erase = (user: User) =>
      app.graphql("mutation ($id: ID!) { eraseUser(userId: $id) { userId } }", { id: user.id }, token);
    const document =
      "mutation ($id: ID!, $input: ClearTwoStepInput!) { clearTwoStepSignIn(userId: $id, input: $input) { wasOn } }";
    const input = { reason: "Lost the telephone", isIdentityChecked: true };
    const refused = [
      await create(token, { memberType: 3 }),
      await update(token, customer, { memberType: 3 }),
      await update(token, admin, { firstName: "Mary" }),
      await update(token, admin, { memberType: 1 }),
      await update(token, supporter, { staffRoles: ["owner"] }),
      await call("archiveUser", admin),
      await call("restoreUser", admin),
      await erase(customer),
      await app.graphql(document, { id: admin.id, input }, token),
    ];
    expect(refused.map(getCode)).toEqual(refused.map(() => "FORBIDDEN"));
    expect(getCode(await call("archiveUser", customer))).toBeUndefined();
  });

  test("ends the sessions and resets the passwords of customers, but not of another admin, and revokes only own tokens", async () => {
    const supporter = await createAdmin(app, { staffRoles: ["support"] });
    const owner = await createAdmin(app);
    const admin = await createAdmin(app, { staffRoles: ["finance"] });
    const customer = await createUser(app);
    const run = async (caller: User, name: string, id: string) => {
      const args = name === "revokePersonalAccessToken" ? "id: $id) { id }" : "userId: $id)";
      const fields = { sendPasswordReset: " { id }", endSessionsOf: " { count }" }[name] ?? "";
      const text = `mutation ($id: ID!) { ${name}(${args}${fields} }`;
      return getCode(await app.graphql(text, { id }, await signInAs(app, caller)));
    };
    const addToken = async (user: User) => (await createToken(app, user, ["profile:read"])).token.id;
    const outcomes = async (caller: User, target: User) => [
      await run(caller, "revokePersonalAccessToken", await addToken(target)),
      await run(caller, "sendPasswordReset", target.id),
      await run(caller, "endSessionsOf", target.id),
    ];
    expect({
      admin: await outcomes(supporter, admin),
      customer: await outcomes(supporter, customer),
      self: await outcomes(supporter, supporter),
      byOwner: await outcomes(owner, admin),
    }).toEqual({
      admin: ["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"],
      customer: ["FORBIDDEN", undefined, undefined],
      self: [undefined, undefined, undefined],
      byOwner: [undefined, undefined, undefined],
    });
    const old = await signInWithOldProof(app, owner);
    const revoke = { id: await addToken(customer) };
    const text = "mutation ($id: ID!) { revokePersonalAccessToken(id: $id) { id } }";
    expect(getCode(await app.graphql(text, revoke, old))).toBe("STEP_UP_REQUIRED");
  });
});

test("a personal access token has the roles of its owner, from the next request", async () => {
  const admin = await createAdmin(app, { staffRoles: ["finance"] });
  const token = await createTokenWithScopes(app, admin, ["users:read", "users:write"]);
  const customer = await createUser(app);
  expect(getCode(await update(token, customer, { firstName: "Mary" }))).toBe("FORBIDDEN");
  await em().nativeUpdate(User, admin.id, { staffRoles: ["support"] });
  expect(getCode(await update(token, customer, { firstName: "Mary" }))).toBeUndefined();
});

test("keeps the last active owner", async () => {
  const owner = await createAdmin(app, { staffRoles: ["owner"] });
  const other = await createAdmin(app, { staffRoles: ["owner"] });
  const token = await signInAs(app, other);
  // No other admin is an owner.
  await app.services.pool.query(
    "update users set staff_roles = '{support}' where member_type = 3 and id <> $1 and id <> $2",
    [owner.id, other.id],
  );
  expect((await update(token, owner, { staffRoles: ["support"] })).errors).toBeUndefined();
  const system = app.context();
  const { archiveUser } = await import("#api/staff/users/archive-user.ts");
  await expect(archiveUser(system, other.id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "This is the last active owner. Give another admin the owner role first.",
  });
});

describe("member type", () => {
  test("applies from the user's next request, and admins can't change their own", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    const user = await createUser(app);
    const theirs = await signInAs(app, user);
    for (const [memberType, status] of [
      [3, 200],
      [1, 403],
    ]) {
      expect((await update(token, user, { memberType })).errors).toBeUndefined();
      expect((await app.rest("GET", `/v1/users/${user.id}`, { token: theirs })).status).toBe(status);
    }
    const refused = await update(token, admin, { memberType: 1 });
    expect(refused.errors?.[0]).toMatchObject({
      message: expect.stringContaining("your own admin role"),
      extensions: { code: "CONFLICT" },
    });
    expect((await em().findOneOrFail(User, admin.id)).memberType).toBe(3);
  });

  test("changes for a subscriber only when the subscription has ended", async () => {
    const token = await signInWith("owner");
    for (const [status, memberType] of [
      ["active", 2],
      ["past_due", 3],
    ] as const) {
      const user = await createUser(app);
      const subscription = await createSubscription(app, await createLicence(app, user), { status });
      const message = expect.stringContaining("This customer has an active subscription.");
      const refused = await update(token, user, { memberType, firstName: "Augusta" });
      expect(refused.errors?.[0]?.extensions).toMatchObject({ code: "CONFLICT", fields: { memberType: [message] } });
      const { json: details } = await app.rest("GET", `/v1/users/${user.id}`, { token });
      const body = { ...details, memberType };
      const put = () => app.rest("PUT", "/v1/users/admin/update-user", { token, body });
      expect(await put()).toMatchObject({ status: 409, json: { Message: message } });
      expect(await em().findOneOrFail(User, user.id)).toMatchObject({ memberType: 1, firstName: user.firstName });
      expect((await update(token, user, { firstName: "Augusta" })).errors).toBeUndefined();
      await em().nativeUpdate(Subscription, { id: subscription.id }, { status: "cancelled" });
      expect((await put()).status).toBe(200);
      // A corporate user or admin who still has a subscription can be changed back to a regular customer.
      await em().nativeUpdate(Subscription, { id: subscription.id }, { status });
      expect((await update(token, user, { memberType: 1 })).errors).toBeUndefined();
    }
  });
});
