import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { archiveUser } from "#api/staff/users/archive-user.ts";
import { buildProfile } from "#tests/factories/account.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createToken, createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { buildRegistration, createAdmin, createUser, signInAs, signInWithOldProof } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { toCodeName } from "#schema/closed-list.ts";
import { toInput } from "#schema/field.ts";
import { userFields } from "#schema/user.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();

const signInWith = async (...staffRoles: User["staffRoles"]) => signInAs(app, await createAdmin(app, { staffRoles }));
/** Returns an input with the codes that GraphQL expects. */
const toCodes = ({ staffRoles, ...rest }: { staffRoles?: string[]; memberType?: number }) => ({
  ...toInput(userFields, rest),
  ...(staffRoles ? { staffRoles: staffRoles.map(toCodeName) } : {}),
});
const create = (token: string, changes: Record<string, unknown>) =>
  app.call("createUser { id staffRoles }", { input: toCodes(buildRegistration(changes) as object) }, token);
function update(token: string, { id, email, memberType }: User, changes: object) {
  const input = toCodes(buildProfile({ email, memberType, annualDeactivationLimit: 3, ...changes }) as object);
  return app.call("updateUser { staffRoles memberType }", { id, input }, token);
}
/** Returns the code with which a call is refused, or undefined. */
const getCode = (called: Promise<unknown>): Promise<string | undefined> =>
  called.then(
    () => undefined,
    ({ code }) => code,
  );

test("owners create admins with roles, and change them, which is audited and emailed to every owner", async () => {
  const owner = await createAdmin(app);
  const token = await signInAs(app, owner);
  const colleague = await createAdmin(app, { staffRoles: ["owner"] });
  const supporter = await createAdmin(app, { staffRoles: ["support"] });
  const unconfirmed = await createAdmin(app, { emailConfirmedAt: null });
  const created = await create(token, { memberType: 3, staffRoles: ["finance", "support", "finance"] });
  expect(created.staffRoles).toEqual(["SUPPORT", "FINANCE"]);
  const user = await em().findOneOrFail(User, created.id);
  expect((await update(token, user, { staffRoles: ["release"] })).staffRoles).toEqual(["RELEASE"]);
  expect((await update(token, user, { firstName: "Mary" })).staffRoles).toEqual(["RELEASE"]);

  const [, entry] = await listAuditEntries(app, user.id);
  expect(entry).toMatchObject({
    action: "update-user",
    before: { staffRoles: ["support", "finance"] },
    after: { staffRoles: ["release"] },
  });
  for (const { email } of [owner, colleague])
    expect((await listEmailsTo(app, email)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/Before:? *Admin \(Support, Finance\)[\s\S]*Now:? *Admin \(Release\)/),
      expect.stringMatching(/Before:? *None[\s\S]*Now:? *Admin \(Support, Finance\)/),
    ]);
  for (const { email } of [supporter, unconfirmed]) expect(await listEmailsTo(app, email)).toEqual([]);
});

test("owners can't give roles to customers, and demoting an admin removes the roles", async () => {
  const token = await signInWith("owner");
  await expect(create(token, { memberType: 1, staffRoles: ["support"] })).rejects.toMatchObject({
    fields: { staffRoles: ["Only admins have roles."] },
  });
  expect(await getCode(create(token, { memberType: 3, staffRoles: ["boss"] }))).toBe("BAD_USER_INPUT");
  const admin = await createAdmin(app, { staffRoles: ["support"] });
  expect(await update(token, admin, { memberType: 2 })).toEqual({ staffRoles: [], memberType: "CORPORATE" });
});

test("owners can't remove their own owner role", async () => {
  await createAdmin(app);
  const owner = await createAdmin(app, { staffRoles: ["owner"] });
  const token = await signInAs(app, owner);
  await expect(update(token, owner, { staffRoles: ["support"] })).rejects.toMatchObject({
    message: "You can't remove your own owner role. Ask another owner to do it.",
    code: "CONFLICT",
  });
  await update(token, owner, { staffRoles: ["owner", "support"] });
});

test("support changes customers, but never creates, changes, archives or erases an admin", async () => {
  const supporter = await createAdmin(app, { staffRoles: ["support"] });
  const token = await signInAs(app, supporter);
  const customer = await createUser(app);
  const admin = await createAdmin(app, { staffRoles: ["release"] });
  await create(token, { memberType: 1 });
  await update(token, customer, { firstName: "Mary" });
  const device = await createDevice(app, await createLicence(app, admin));
  const input = { reason: "Lost the telephone", isIdentityChecked: true };
  for (const run of [
    () => create(token, { memberType: 3 }),
    () => update(token, customer, { memberType: 3 }),
    () => update(token, admin, { firstName: "Mary" }),
    () => update(token, admin, { memberType: 1 }),
    () => update(token, supporter, { staffRoles: ["owner"] }),
    () => app.call("archiveUser { id }", { id: admin.id }, token),
    () => app.call("restoreUser { id }", { id: admin.id }, token),
    () => app.call("eraseUser { userId }", { userId: customer.id }, token),
    () => app.call("clearTwoStepSignIn { wasOn }", { userId: admin.id, input }, token),
    () => app.call("blockMachineOf { id }", { userId: admin.id, deviceId: device.id }, token),
  ])
    expect([String(run), await getCode(run())]).toEqual([String(run), "FORBIDDEN"]);
  await app.call("archiveUser { id }", { id: customer.id }, token);
});

test("ends the sessions and resets the passwords of customers, but not of another admin, and revokes only own tokens", async () => {
  const supporter = await createAdmin(app, { staffRoles: ["support"] });
  const owner = await createAdmin(app);
  const admin = await createAdmin(app, { staffRoles: ["finance"] });
  const customer = await createUser(app);
  const run = async (caller: User, call: string, given: Record<string, unknown>) =>
    getCode(app.call(call, given, await signInAs(app, caller)));
  const addToken = async (user: User) => ({ id: (await createToken(app, user, ["profile:read"])).token.id });
  const outcomes = async (caller: User, target: User) => [
    await run(caller, "revokePersonalAccessToken { id }", await addToken(target)),
    await run(caller, "sendPasswordReset { id }", { userId: target.id }),
    await run(caller, "endSessionsOf { count }", { userId: target.id }),
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
  const revoked = app.call("revokePersonalAccessToken { id }", await addToken(customer), old);
  await expect(revoked).rejects.toMatchObject({ code: "STEP_UP_REQUIRED" });
});

test("a personal access token has the roles of its owner, from the next request", async () => {
  const admin = await createAdmin(app, { staffRoles: ["finance"] });
  const token = await createTokenWithScopes(app, admin, ["users:read", "users:write"]);
  const customer = await createUser(app);
  expect(await getCode(update(token, customer, { firstName: "Mary" }))).toBe("FORBIDDEN");
  await em().nativeUpdate(User, admin.id, { staffRoles: ["support"] });
  await update(token, customer, { firstName: "Mary" });
});

test("keeps the last active owner", async () => {
  const owner = await createAdmin(app, { staffRoles: ["owner"] });
  const other = await createAdmin(app, { staffRoles: ["owner"] });
  const token = await signInAs(app, other);
  // No other admin is an owner.
  const sql = "update users set staff_roles = '{support}' where member_type = 3 and id <> $1 and id <> $2";
  await app.services.pool.query(sql, [owner.id, other.id]);
  await update(token, owner, { staffRoles: ["support"] });
  await expect(archiveUser(app.context(), other.id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "This is the last active owner. Give another admin the owner role first.",
  });
});

test("the member type applies from the user's next request, and admins can't change their own", async () => {
  const admin = await createAdmin(app);
  const token = await signInAs(app, admin);
  const user = await createUser(app);
  const theirs = await signInAs(app, user);
  for (const [memberType, status] of [
    [3, 200],
    [1, 403],
  ]) {
    await update(token, user, { memberType });
    expect((await app.rest("GET", `/v1/users/${user.id}`, { token: theirs })).status).toBe(status);
  }
  await expect(update(token, admin, { memberType: 1 })).rejects.toMatchObject({
    message: expect.stringContaining("your own admin role"),
    code: "CONFLICT",
  });
  expect((await em().findOneOrFail(User, admin.id)).memberType).toBe(3);
});

test("the member type changes for a subscriber only when the subscription has ended", async () => {
  const token = await signInWith("owner");
  for (const [status, memberType] of [
    ["active", 2],
    ["past_due", 3],
  ] as const) {
    const user = await createUser(app);
    const subscription = await createSubscription(app, await createLicence(app, user), { status });
    const message = expect.stringContaining("This customer has an active subscription.");
    const refused = update(token, user, { memberType, firstName: "Augusta" });
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT", fields: { memberType: [message] } });
    const { json: details } = await app.rest("GET", `/v1/users/${user.id}`, { token });
    const body = { ...details, memberType };
    const put = () => app.rest("PUT", "/v1/users/admin/update-user", { token, body });
    expect(await put()).toMatchObject({ status: 409, json: { Message: message } });
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ memberType: 1, firstName: user.firstName });
    await update(token, user, { firstName: "Augusta" });
    await em().nativeUpdate(Subscription, { id: subscription.id }, { status: "cancelled" });
    expect((await put()).status).toBe(200);
    // A corporate user or admin who still has a subscription can be changed back to a regular customer.
    await em().nativeUpdate(Subscription, { id: subscription.id }, { status });
    await update(token, user, { memberType: 1 });
  }
});
