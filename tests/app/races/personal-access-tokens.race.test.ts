import { expect, test } from "vitest";
import { MemberType } from "#schema/catalogue.ts";
import { MAX_TOKENS } from "#schema/scopes.ts";
import { createContext } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createToken as createTokenAction } from "#api/access/personal-access-tokens/create-token.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses, openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const otherProcess = await openSecondProcess(app);
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

test("stops at the token limit with 40 concurrent creations across two processes", async () => {
  for (let round = 0; round < 10; round++) {
    const user = await createUser(app);
    const actor = { userId: user.id, sessionId: user.id, role: "regular" as const };
    const values = { name: "Export", scopes: ["profile:read" as const], expiresInDays: 30 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        createTokenAction(createContext(n % 2 ? otherProcess : app.services, { actor }), values),
      ),
    );
    const refused = outcomes.filter((one) => one.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "CONFLICT" });
    expect(await em().count(PersonalAccessToken, { user: user.id })).toBe(MAX_TOKENS);
  }
}, 120_000);

test("rejects a token in both processes on the first request after one of them revoked it", async () => {
  const user = await createUser(app);
  const session = await signInAs(app, user);
  const url = `/v1/licence/${user.id}`;
  for (let round = 0; round < 20; round++) {
    const { secret, token } = await createToken(app, user, ["licences:read"]);
    for (let n = 0; n < 2; n++) expect((await call("GET", url, undefined, secret)).status).toBe(200);
    const query = `mutation { revokePersonalAccessToken(id: "${token.id}") { id } }`;
    expect((await call("POST", "/graphql", { query }, session)).json).not.toHaveProperty("errors");
    for (let n = 0; n < 2; n++) expect((await call("GET", url, undefined, secret)).status).toBe(401);
  }
});

test("records a token's concurrent uses in two processes only once", async () => {
  const { secret, token } = await createToken(app, await createAdmin(app), ["users:read"]);
  await Promise.all(
    Array.from({ length: 20 }, () => call("POST", "/graphql", { query: "{ users { total } }" }, secret)),
  );
  const [{ updates } = { updates: "" }] = await em().execute<{ updates: string }[]>(
    // PostgreSQL changes xmin whenever a row is updated, and only recording a use updates this row.
    "select xmin::text as updates from personal_access_tokens where id = ?",
    [token.id],
  );
  await Promise.all(
    Array.from({ length: 20 }, () => call("POST", "/graphql", { query: "{ users { total } }" }, secret)),
  );
  const [after] = await em().execute<{ updates: string }[]>(
    "select xmin::text as updates from personal_access_tokens where id = ?",
    [token.id],
  );
  expect(after?.updates).toBe(updates);
});

test("revokes a token created while its owner becomes an admin, unless the owner is an admin when it is created", async () => {
  const admin = await createAdmin(app);
  const session = await signInAs(app, admin);
  for (let round = 0; round < 10; round++) {
    const user = await createUser(app, { mobile: "+61 400 000 000" });
    const own = await signInAs(app, user);
    const query = `mutation { createPersonalAccessToken(input: { name: "x", scopes: ["licences:read"], expiresInDays: 1 }) { secret } }`;
    const { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName } = user;
    const details = { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName };
    const body = { ...details, id: user.id, userId: user.id, memberType: MemberType.Admin, annualDeactivationLimit: 3 };
    const [created, promoted] = await Promise.all([
      call("POST", "/graphql", { query }, own),
      call("PUT", "/v1/users/admin/update-user", body, session),
    ]);
    expect(promoted.status).toBe(200);
    const { memberType } = await em().findOneOrFail(User, user.id);
    expect(memberType).toBe(MemberType.Admin);
    const [token] = await em().find(PersonalAccessToken, { user: user.id });
    const audited = await em().execute("select 1 from audit_entries where user_id = ? and action = 'create-token'", [
      user.id,
    ]);
    // A token created before the promotion is revoked. One created afterwards belongs to an admin, which the audit log records.
    expect([token?.revokedAt === null, created.json.errors]).toEqual([audited.length === 1, undefined]);
  }
});
