import { beforeAll, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser, registration, signInAs } from "#tests/factories/user.ts";
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

function inputOf(user: User, changes: Record<string, unknown> = {}) {
  const { password: _, confirmPassword: __, ...rest } = registration();
  return { ...rest, email: user.email, memberType: 1, annualDeactivationLimit: 3, ...changes };
}
const update = (token: string, user: User, changes: Record<string, unknown>) =>
  app.graphql(mutation, { id: user.id, input: inputOf(user, changes) }, token);

test("a form that began before another admin's change is refused, told who changed what, and overwrites nothing", async () => {
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

test("over REST a stale revision is a 409 that names the change, and without a revision the last write wins", async () => {
  const user = await createUser(app);
  await update(grace, user, { firstName: "Augusta" });
  const put = (changes: object) =>
    app.rest("PUT", "/v1/users/admin/update-user", {
      token: mary,
      body: { ...inputOf(user), id: user.id, ...changes },
    });
  const refused = await put({ revision: 1 });
  expect(refused.status).toBe(409);
  expect(refused.json.Message).toContain("Grace Hopper");
  expect((await put({ revision: 2, firstName: "Anne" })).status).toBe(200);
  expect((await put({ firstName: "Ada" })).status).toBe(200);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ firstName: "Ada", revision: 4 });
});

test("the person's own changes make a form out of date too: profile, invoice details, trial", async () => {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  const { password: _, confirmPassword: __, ...profile } = registration({ email: user.email, mobile: "0400 000 001" });
  const revision = async () => (await em().findOneOrFail(User, user.id)).revision;
  await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: profile });
  expect(await revision()).toBe(2);
  await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: profile });
  expect(await revision()).toBe(2);
  await app.rest("POST", "/v1/subscriptions/create-trial", { token });
  expect(await revision()).toBe(3);
  const late = await update(grace, user, { revision: 1, hasCompletedTrial: false });
  expect(late.errors?.[0]?.message).toContain("The person changed their own details.");
  expect((await em().findOneOrFail(User, user.id)).hasCompletedTrial).toBe(true);
});

test("what changes nothing is no revision, and no entry", async () => {
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
  "a customer whose subscription is %s does not become member type %i, over GraphQL and REST; afterwards they do",
  async (status, memberType) => {
    const user = await createUser(app);
    const subscription = await createSubscription(app, await createLicence(app, user), { status });
    const message = expect.stringContaining("This customer has a running subscription.");
    const refused = await update(grace, user, { memberType, firstName: "Augusta" });
    expect(refused.errors?.[0]).toMatchObject({
      message,
      extensions: { code: "CONFLICT", fields: { memberType: [message] } },
    });
    const put = () =>
      app.rest("PUT", "/v1/users/admin/update-user", {
        token: mary,
        body: { ...inputOf(user), id: user.id, memberType },
      });
    expect(await put()).toMatchObject({ status: 409, json: { Message: message } });
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ memberType: 1, firstName: user.firstName });
    expect((await update(grace, user, { firstName: "Augusta" })).errors).toBeUndefined();

    await em().nativeUpdate(Subscription, { id: subscription.id }, { status: "cancelled" });
    expect((await put()).status).toBe(200);
    // Who came to be another type all the same must be able to come back.
    await em().nativeUpdate(Subscription, { id: subscription.id }, { status });
    expect((await update(grace, user, { memberType: 1 })).errors).toBeUndefined();
  },
);

test.each(["'; drop table users; --", "\u0000", "../../etc", "𝕏".repeat(10)])(
  "an id of %j is not found",
  async (id) => {
    const answers = [
      await app.graphql(mutation, { id, input: inputOf(await createUser(app)) }, grace),
      await app.graphql("query ($id: ID!) { userChanges(id: $id, since: 0) { at } }", { id }, grace),
      await app.graphql("mutation ($id: ID!) { resetDeactivationCounter(userId: $id) { limit } }", { id }, grace),
    ];
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  },
);
