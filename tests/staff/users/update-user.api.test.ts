import { beforeAll, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
let grace: string;
let mary: string;

beforeAll(async () => {
  grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
  mary = await signInAs(app, await createAdmin(app, { firstName: "Mary", lastName: "Keller" }));
});

const mutation = `mutation ($id: ID!, $input: UpdateUserInput!) {
  updateUser(id: $id, input: $input) { id firstName revision blockedMachines { machineName } } }`;

function buildInput(user: User, changes: Record<string, unknown> = {}) {
  const { password: _, confirmPassword: __, ...rest } = buildRegistration();
  return { ...rest, email: user.email, memberType: 1, annualDeactivationLimit: 3, ...changes };
}
const update = (token: string, user: User, changes: Record<string, unknown>) =>
  app.graphql(mutation, { id: user.id, input: buildInput(user, changes) }, token);

test("rejects an update based on an outdated revision and lists the changes since then", async () => {
  const user = await createUser(app);
  const first = await update(grace, user, {
    revision: 1,
    firstName: "Augusta",
    blockedMachines: [{ machineName: "BNE-1" }],
  });
  expect(first.data.updateUser).toMatchObject({ revision: 2, blockedMachines: [{ machineName: "BNE-1" }] });
  const late = await update(mary, user, { revision: 1, mobile: "0400 999 999" });
  expect(late.errors?.[0]).toMatchObject({ extensions: { code: "CONFLICT", reason: "STALE_REVISION" } });
  expect(late.errors?.[0]?.message).toMatch(/Grace Hopper <.*> changed blockedMachines, firstName/);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ firstName: "Augusta", mobile: user.mobile });

  const changes = await app.graphql(
    "query ($id: ID!) { userChanges(id: $id, since: 1) { at actorName fields } }",
    { id: user.id },
    mary,
  );
  expect(changes.data.userChanges).toEqual([
    {
      at: expect.any(String),
      actorName: expect.stringContaining("Grace Hopper"),
      fields: ["blockedMachines", "firstName"],
    },
  ]);
  const again = await update(mary, user, { revision: 2, firstName: "Augusta", mobile: "0400 999 999" });
  expect(again.data.updateUser).toMatchObject({
    revision: 3,
    firstName: "Augusta",
    blockedMachines: [{ machineName: "BNE-1" }],
  });
});

test("returns 409 for an outdated revision over REST and accepts any update without a revision", async () => {
  const user = await createUser(app);
  await update(grace, user, { firstName: "Augusta" });
  const put = (changes: object) =>
    app.rest("PUT", "/v1/users/admin/update-user", {
      token: mary,
      body: { ...buildInput(user), id: user.id, ...changes },
    });
  const refused = await put({ revision: 1 });
  expect(refused.status).toBe(409);
  expect(refused.json.Message).toContain("Grace Hopper");
  expect((await put({ revision: 2, firstName: "Anne" })).status).toBe(200);
  expect((await put({ firstName: "Ada" })).status).toBe(200);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ firstName: "Ada", revision: 4 });
});

test("increments the revision when the user changes their profile or starts a trial", async () => {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  const {
    password: _,
    confirmPassword: __,
    ...profile
  } = buildRegistration({ email: user.email, mobile: "0400 000 001" });
  const revision = async () => (await em().findOneOrFail(User, user.id)).revision;
  await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: profile });
  expect(await revision()).toBe(2);
  await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: profile });
  expect(await revision()).toBe(2);
  await app.rest("POST", "/v1/subscriptions/create-trial", { token });
  expect(await revision()).toBe(3);
  const late = await update(grace, user, { revision: 1, hasCompletedTrial: false });
  expect(late.errors?.[0]?.message).toContain("The user changed their own details.");
  expect((await em().findOneOrFail(User, user.id)).hasCompletedTrial).toBe(true);
});

test("records no revision or audit entry if nothing changed", async () => {
  const user = await createUser(app);
  await update(grace, user, { revision: 1 });
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ revision: 1 });
  expect(await em().count(AuditEntry, { userId: user.id })).toBe(0);
});

test.each([
  ["active", 2],
  ["active", 3],
  ["past_due", 2],
] as const)(
  "rejects changing a customer with an %s subscription to member type %i until it ends",
  async (status, memberType) => {
    const user = await createUser(app);
    const subscription = await createSubscription(app, await createLicence(app, user), { status });
    const message = expect.stringContaining("This customer has an active subscription.");
    const refused = await update(grace, user, { memberType, firstName: "Augusta" });
    expect(refused.errors?.[0]).toMatchObject({
      message,
      extensions: { code: "CONFLICT", fields: { memberType: [message] } },
    });
    const put = () =>
      app.rest("PUT", "/v1/users/admin/update-user", {
        token: mary,
        body: { ...buildInput(user), id: user.id, memberType },
      });
    expect(await put()).toMatchObject({ status: 409, json: { Message: message } });
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ memberType: 1, firstName: user.firstName });
    expect((await update(grace, user, { firstName: "Augusta" })).errors).toBeUndefined();

    await em().nativeUpdate(Subscription, { id: subscription.id }, { status: "cancelled" });
    expect((await put()).status).toBe(200);
    // A corporate user or admin who still has a subscription can be changed back to a regular customer.
    await em().nativeUpdate(Subscription, { id: subscription.id }, { status });
    expect((await update(grace, user, { memberType: 1 })).errors).toBeUndefined();
  },
);

test.each(["'; drop table users; --", "\u0000", "../../etc", "𝕏".repeat(10)])(
  "returns NOT_FOUND for the id %j",
  async (id) => {
    const responses = [
      await app.graphql(mutation, { id, input: buildInput(await createUser(app)) }, grace),
      await app.graphql("query ($id: ID!) { userChanges(id: $id, since: 0) { at } }", { id }, grace),
      await app.graphql("mutation ($id: ID!) { resetDeactivationCounter(userId: $id) { limit } }", { id }, grace),
    ];
    expect(responses.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
      "NOT_FOUND",
    ]);
  },
);
