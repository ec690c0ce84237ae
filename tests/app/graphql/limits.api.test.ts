import { ApolloServer } from "@apollo/server";
import { expect, test, describe } from "vitest";
import { createDocumentLimits } from "#api/platform/graphql/graphql-limits.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, signInAs, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const adminUser = await createAdmin(app);
const admin = await signInAs(app, adminUser);

test.each([
  ["{ me { firstNam } }", 'Cannot query field "firstNam" on type "User".'],
  ["{ mee { id } }", 'Cannot query field "mee" on type "Query".'],
  ["{ users(filtr: {}) { total } }", 'Unknown argument "filtr" on field "Query.users".'],
])("reports a misspelt name in one sentence without suggestions: %s", async (query, sentence) => {
  expect((await app.graphql(query, {}, admin)).errors?.map(({ message }) => message)).toContain(sentence);
});

const lists = ["users", "bulkRuns", "auditLog", "securityEvents", "softwareBuilds"];
test.each(lists)("reads %s from the start for an empty cursor", async (list) => {
  const page = "{ total endCursor }";
  const { data, errors } = await app.graphql(`{ ${list} ${page} same: ${list}(after: "") ${page} }`, {}, admin);
  expect(errors).toBeUndefined();
  expect(data.same).toEqual(data[list]);
});

test("accepts a query 8 levels deep and rejects one 9 levels deep, counting __typename", async () => {
  // The product's schema has no cycle deep enough, so the test applies the same limits to a schema with one.
  const typeDefs = "type Query { node: Node } type Node { node: Node }";
  const resolvers = { Query: { node: () => ({}) }, Node: { node: () => ({}) } };
  const apollo = new ApolloServer({ typeDefs, resolvers, ...(createDocumentLimits() as object) });
  const levels = (count: number) => `{ ${"node { ".repeat(count - 1)}__typename${" }".repeat(count - 1)} }`;
  const getErrors = async (count: number) => {
    const { body } = await apollo.executeOperation({ query: levels(count) });
    return body.kind === "single" ? body.singleResult.errors : undefined;
  };
  expect(await getErrors(8)).toBeUndefined();
  expect(await getErrors(9)).toHaveLength(1);
  await apollo.stop();
});

describe("the cost of a query", () => {
  const send = (query: string, cost: string | null, as?: string, variables: object = {}) =>
    app.rest("POST", "/graphql", {
      body: { query, variables },
      headers: cost === null ? {} : { "x-query-cost": cost },
      token: as,
    });

  const listOfUsers = "query Q($limit: Int!) { users(first: $limit) { rows { id email licences { id } } } }";
  const expensive = "{ users(first: 100) { rows { licences { devices { events(first: 20) { rows { id } } } } } } }";
  const expensiveForCustomers = "{ me { licences { devices { a: events(first: 100) { rows { id at answer } } } } } }";

  test("returns the cost only on request, and more for more rows requested in variables", async () => {
    const withCost = await send("{ me { id email } }", "1", token);
    expect(withCost.json.extensions).toEqual({ cost: { requested: expect.any(Number), limit: 1_000 } });
    expect(withCost.json.data.me.email).toBe(user.email);
    expect((await send("{ me { id email } }", null, token)).json.extensions).toBeUndefined();
    expect((await send("{ me { id email } }", "yes", token)).json.extensions).toBeUndefined();
    const getCost = async (limit: number) =>
      (await send(listOfUsers, "1", admin, { limit })).json.extensions.cost.requested as number;
    expect(await getCost(40)).toBeGreaterThan(3 * (await getCost(10)));
  });

  test("includes a search in variables, also after the same query without one", async () => {
    const query = "query Q($search: String) { users(first: 1, filter: { search: $search }) { rows { id } } }";
    const getCost = async (search: string | null) =>
      (await send(query, "only", admin, { search })).json.extensions.cost.requested as number;
    const without = await getCost(" ");
    expect([await getCost("byron"), await getCost("ada"), await getCost(""), await getCost(null)]).toEqual([
      without + 300,
      without + 300,
      without,
      without,
    ]);
  });

  test("adds the cost to a response built by the database and leaves its data unchanged", async () => {
    const plain = await send(listOfUsers, null, admin, { limit: 5 });
    const withCost = await send(listOfUsers, "1", admin, { limit: 5 });
    expect(withCost.json.data).toEqual(plain.json.data);
    expect(withCost.json.data.users.rows.length).toBeGreaterThan(0);
    const data = plain.text.trimEnd().slice(0, -1);
    expect(withCost.text.startsWith(`${data},"extensions":{"cost":{"requested":`)).toBe(true);
  });

  test.each([
    ["an admin", expensive, admin, "10,000"],
    ["a customer", expensiveForCustomers, token, "1,000"],
  ])("rejects a query too expensive for %s with its cost and the limit", async (_role, query, as, limitInWords) => {
    for (const header of ["1", null]) {
      const { status, json } = await send(query, header, as);
      expect([status, json.errors[0].extensions.code]).toEqual([400, "BAD_USER_INPUT"]);
      const { requested, limit } = json.extensions.cost;
      expect(requested).toBeGreaterThan(limit);
      expect(json.errors[0].message).toBe(
        `Query too expensive: cost ${requested.toLocaleString("en-AU")}, limit ${limitInWords}. Request fewer rows or fields.`,
      );
    }
  });

  test("gives admins ten times the limit of customers and visitors, except in a view as a customer", async () => {
    const getLimit = async (as?: string) => (await send("{ plans { name } }", "1", as)).json.extensions.cost.limit;
    expect([await getLimit(admin), await getLimit(token), await getLimit()]).toEqual([10_000, 1_000, 1_000]);
    expect(await getLimit(await createTokenWithScopes(app, adminUser, ["users:read"]))).toBe(10_000);
    const { data } = await app.graphql("viewAsCustomer { accessToken }", { userId: user.id }, admin);
    expect(await getLimit(data.viewAsCustomer.accessToken)).toBe(1_000);
  });

  test("returns only the cost on request and doesn't run the query, even above the limit", async () => {
    const { status, json } = await send("{ me { id } }", "only", token);
    expect([status, json.data, json.extensions.cost.limit]).toEqual([200, null, 1_000]);
    const over = await send(expensive, "only", admin);
    expect([over.status, over.json.data, over.json.errors]).toEqual([200, null, undefined]);
    expect(over.json.extensions.cost.requested).toBeGreaterThan(10_000);
    // The header also prevents the sign-out from running.
    expect((await send("mutation { signOut { id } }", "only", token)).json.data).toBeNull();
    expect((await send("{ me { id } }", null, token)).json.data.me.id).toBe(user.id);
  });
});

describe("mutations", () => {
  const comment = (alias: string, directive = "") =>
    `${alias}: addComment(userId: $user, comment: "Called back about ${alias}.") ${directive} { id }`;
  const both = `${comment("a")} ${comment("b")}`;
  const fragment = (name: string, alias: string) => `fragment ${name} on Mutation { ${comment(alias)} }`;
  const spread = "mutation ($user: ID!) { ...A ...B }";
  const optional = `mutation ($user: ID!, $also: Boolean!) { ${comment("a")} ${comment("b", "@include(if: $also)")} }`;
  const chosen = `query Q { __typename } mutation M($user: ID!) { ... on Mutation { ${both} } }`;

  async function send(operation: string, variables: Record<string, unknown> = {}) {
    const before = await countComments();
    const { status, errors } = await app.graphql(operation, { user: user.id, ...variables }, admin);
    const written = (await countComments()) - before;
    return { status, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message, written };
  }

  async function countComments(): Promise<number> {
    const { rows } = await app.services.pool.query<{ count: number }>("select count(*)::int as count from comments");
    return rows[0]?.count ?? 0;
  }

  test.each<[string, string, Record<string, unknown>?]>([
    ["two fields", `mutation ($user: ID!) { ${both} }`],
    ["an inline fragment", `mutation ($user: ID!) { ... on Mutation { ${both} } }`],
    ["an inline fragment without a type", `mutation ($user: ID!) { ... { ${both} } }`],
    ["nested inline fragments", `mutation ($user: ID!) { ... { ... on Mutation { ... { ${both} } } } }`],
    ["a named fragment", `mutation ($user: ID!) { ...Both } fragment Both on Mutation { ${both} }`],
    ["two named fragments", `${spread} ${fragment("A", "a")} ${fragment("B", "b")}`],
    ["a field included by a variable", optional, { also: true }],
    ["an operation chosen by name", chosen, { operationName: "M" }],
  ])("several root fields are rejected: %s", async (_name, operation, { operationName, ...variables } = {}) => {
    const message = "An operation can contain only one mutation.";
    if (operationName) {
      const body = { query: operation, operationName, variables: { user: user.id } };
      const { status, json } = await app.rest("POST", "/graphql", { body, token: admin });
      expect([status, json.errors[0].message]).toEqual([400, message]);
      return;
    }
    expect(await send(operation, variables)).toEqual({ status: 400, code: "BAD_USER_INPUT", message, written: 0 });
  });

  test.each<[string, string, Record<string, unknown>?]>([
    ["in nested fragments", `mutation ($user: ID!) { ... { ...A } } fragment A on Mutation { ${comment("a")} }`],
    ["in two fragments under one response key", `${spread} ${fragment("A", "a")} ${fragment("B", "a")}`],
    ["in a fragment spread twice", `mutation ($user: ID!) { ...A ...A } fragment A on Mutation { ${comment("a")} }`],
    ["next to a field a variable excludes", optional, { also: false }],
    ["next to __typename", `mutation ($user: ID!) { __typename ${comment("a")} }`],
  ])("run one root field once: %s", async (_name, operation, variables) => {
    expect(await send(operation, variables)).toMatchObject({ status: 200, code: undefined, written: 1 });
  });
});
