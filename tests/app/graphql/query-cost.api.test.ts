import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const adminUser = await createAdmin(app);
const admin = await signInAs(app, adminUser);

async function send(query: string, cost: string | null, as?: string, variables: object = {}) {
  const { status, text, json } = await app.rest("POST", "/graphql", {
    body: { query, variables },
    headers: cost === null ? {} : { "x-query-cost": cost },
    ...(as ? { token: as } : {}),
  });
  return { status, text, json };
}

const listOfUsers = "query Q($limit: Int!) { users(filter: { limit: $limit }) { rows { id email licences { id } } } }";
const expensive =
  "{ users(filter: { limit: 100 }) { rows { licences { devices { events(first: 20) { rows { id } } } } } } }";
const expensiveForCustomers = "{ me { licences { devices { a: events(first: 100) { rows { id at answer } } } } } }";

test("returns the cost only on request", async () => {
  const withCost = await send("{ me { id email } }", "1", token);
  expect(withCost.json.extensions).toEqual({ cost: { requested: expect.any(Number), limit: 1_000 } });
  expect(withCost.json.data.me.email).toBe(user.email);
  expect((await send("{ me { id email } }", null, token)).json.extensions).toBeUndefined();
  expect((await send("{ me { id email } }", "yes", token)).json.extensions).toBeUndefined();
});

test("increases the cost with the rows requested in variables", async () => {
  const getCost = async (limit: number) =>
    (await send(listOfUsers, "1", admin, { limit })).json.extensions.cost.requested as number;
  expect(await getCost(40)).toBeGreaterThan(3 * (await getCost(10)));
});

test("adds the cost to a response built by the database and leaves its data unchanged", async () => {
  const [plain, withCost] = [
    await send(listOfUsers, null, admin, { limit: 5 }),
    await send(listOfUsers, "1", admin, { limit: 5 }),
  ];
  expect(withCost.json.data).toEqual(plain.json.data);
  expect(withCost.json.data.users.rows.length).toBeGreaterThan(0);
  const data = plain.text.trimEnd().slice(0, -1);
  expect(withCost.text.startsWith(`${data},"extensions":{"cost":{"requested":`)).toBe(true);
});

test.each([
  ["an admin", expensive, admin, "10,000"],
  ["a customer", expensiveForCustomers, token, "1,000"],
])(
  "rejects a query too expensive for %s and reports its cost and the limit, with or without the header",
  async (_role, query, as, limitInWords) => {
    for (const header of ["1", null]) {
      const { status, json } = await send(query, header, as);
      expect(status).toBe(400);
      expect(json.errors[0].extensions.code).toBe("BAD_USER_INPUT");
      const { requested, limit } = json.extensions.cost;
      expect(requested).toBeGreaterThan(limit);
      expect(json.errors[0].message).toBe(
        `Query too expensive: cost ${requested.toLocaleString("en-AU")}, limit ${limitInWords}. Request fewer rows or fields.`,
      );
    }
  },
);

test("gives admins ten times the limit of customers and visitors, except in a view as a customer", async () => {
  const getLimit = async (as?: string) => (await send("{ plans { name } }", "1", as)).json.extensions.cost.limit;
  expect(await getLimit(admin)).toBe(10_000);
  expect(await getLimit(token)).toBe(1_000);
  expect(await getLimit()).toBe(1_000);
  expect(await getLimit(await createTokenWithScopes(app, adminUser, ["users:read"]))).toBe(10_000);
  const { data } = await app.graphql(
    "mutation ($id: ID!) { viewAsCustomer(userId: $id) { accessToken } }",
    { id: user.id },
    admin,
  );
  expect(await getLimit(data.viewAsCustomer.accessToken)).toBe(1_000);
});

test("returns only the cost on request and doesn't run the query, even above the limit", async () => {
  const { status, json } = await send("{ me { id } }", "only", token);
  expect({ status, data: json.data, limit: json.extensions.cost.limit }).toEqual({
    status: 200,
    data: null,
    limit: 1_000,
  });
  const over = await send(expensive, "only", admin);
  expect([over.status, over.json.data, over.json.errors]).toEqual([200, null, undefined]);
  expect(over.json.extensions.cost.requested).toBeGreaterThan(10_000);
  // The header also prevents the sign-out from running.
  expect((await send("mutation { signOut }", "only", token)).json.data).toBeNull();
  expect((await send("{ me { id } }", null, token)).json.data.me.id).toBe(user.id);
});

test("allows the introspection query of developer tools", async () => {
  const { status, json } = await send(getIntrospectionQuery({ inputValueDeprecation: true }), "1", token);
  expect([status, json.errors]).toEqual([200, undefined]);
  expect(json.data.__schema.queryType.name).toBe("Query");
});
