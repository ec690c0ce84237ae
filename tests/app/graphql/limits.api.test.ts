import { ApolloServer } from "@apollo/server";
import { describe, expect, test } from "vitest";
import { createDocumentLimits } from "#api/platform/graphql-limits.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const token = await signInAs(app, await createUser(app));
const adminToken = await signInAs(app, await createAdmin(app));

async function send(query: string, variables?: Record<string, unknown>, as = token) {
  const startedAt = performance.now();
  const answer = await app.graphql(query, variables, as);
  return { ...answer, code: answer.errors?.[0]?.extensions.code, ms: performance.now() - startedAt };
}

describe("a hostile document", () => {
  test.each<[string, string, Record<string, unknown>?]>([
    ["too many aliases", `{ ${Array.from({ length: 16 }, (_, n) => `a${n}: me { id }`).join(" ")} }`],
    ["too many tokens", `{ me { ${"id ".repeat(1_001)} } }`],
    ["too many directives", `{ me { id ${"@include(if: true) ".repeat(30)} } }`],
    ["two mutations", "mutation { signOut a: signOut }"],
    ["a list above 100", "{ users(filter: { limit: 101 }) { total } }"],
    [
      "a list above 100 in a variable",
      "query Q($limit: Int!) { users(filter: { limit: $limit }) { total } }",
      { limit: 1_000_000 },
    ],
    [
      "rows of many bulk runs",
      "{ bulkRuns(filter: { limit: 100 }) { rows { rows(filter: { limit: 50 }) { rows { label faults { message } } } } } }",
    ],
    [
      "many rows of a few bulk runs",
      `{ bulkRuns(filter: { limit: 3 }) { rows { ${Array.from({ length: 14 }, (_, n) => `a${n}: rows(filter: { limit: 100 }) { rows { label faults { message } } }`).join(" ")} } } }`,
    ],
    ["a negative offset", "{ users(filter: { offset: -1 }) { total } }"],
    ["an unknown field", "{ me { passwordHash } }"],
    ["an unknown argument", "{ me(id: 1) { id } }"],
    [
      "an unknown input field",
      'mutation { deactivateDevice(input: { deviceId: "x", reason: "y", counted: false }) { resultCode } }',
    ],
    ["a fragment cycle", "query { me { ...A } } fragment A on User { ...B } fragment B on User { ...A }"],
    ["not GraphQL at all", "select * from users"],
    ["an unclosed document", "{ me { id }"],
    ["an empty document", ""],
    ["a NUL byte", 'mutation { register(input: { firstName: "a\\u0000" }) { confirmationHandle } }'],
  ])("is rejected before it runs: %s", async (_name, query, variables) => {
    const as = /users|bulkRun/.test(query) ? adminToken : token;
    const { status, code, errors, ms } = await send(query, variables, as);
    expect({ status, code }).toEqual({ status: 400, code: "BAD_USER_INPUT" });
    expect(ms).toBeLessThan(1_000);
    expect(JSON.stringify(errors)).not.toMatch(/at .*\.(ts|js):\d+|select .* from|node_modules/i);
  });
});

test.each<[string, string]>([
  ["{ me { firstNam } }", 'Cannot query field "firstNam" on type "User".'],
  ["{ mee { id } }", 'Cannot query field "mee" on type "Query".'],
  ["{ users(filtr: {}) { total } }", 'Unknown argument "filtr" on field "Query.users".'],
])("reports a misspelt name in one sentence without suggestions: %s", async (query, sentence) => {
  const { errors } = await send(query, undefined, adminToken);
  expect(errors?.map(({ message }) => message)).toContain(sentence);
});

test("accepts a query 8 levels deep and rejects one 9 levels deep, counting __typename", async () => {
  // The product's schema has no cycle deep enough, so the test applies the same limits to a schema with one.
  const apollo = new ApolloServer({
    typeDefs: "type Query { node: Node } type Node { node: Node }",
    resolvers: { Query: { node: () => ({}) }, Node: { node: () => ({}) } },
    ...(createDocumentLimits() as object),
  });
  const levels = (count: number) => `{ ${"node { ".repeat(count - 1)}__typename${" }".repeat(count - 1)} }`;
  const getErrors = async (count: number) => {
    const { body } = await apollo.executeOperation({ query: levels(count) });
    return body.kind === "single" ? body.singleResult.errors : undefined;
  };
  expect(await getErrors(8)).toBeUndefined();
  expect(await getErrors(9)).toHaveLength(1);
  await apollo.stop();
});

test("returns validation errors by field", async () => {
  const { status, errors } = await app.graphql(
    `mutation { register(input: { firstName: "A", lastName: "B", position: "", email: "x", mobile: "", password: "a",
       confirmPassword: "b", streetNumber: "", streetName: "", city: "", state: "", postCode: "", country: "" }) { confirmationHandle } }`,
  );
  expect(status).toBe(400);
  expect(errors?.[0]?.extensions.fields).toMatchObject({
    firstName: ["First name must have at least 2 characters."],
    email: ["Invalid email address"],
    confirmPassword: ["Passwords must match"],
  });
});

test("returns the same error for unknown, foreign and malformed ids", async () => {
  const other = await createUser(app);
  const answers = await Promise.all(
    [other.id, "00000000-0000-4000-8000-000000000000", "nonsense", "' or 1=1"].map((id) =>
      app.graphql("query Q($id: ID!) { licence(id: $id) { id } }", { id }, token),
    ),
  );
  for (const answer of answers) expect(answer.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

describe("GraphQL over HTTP", () => {
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${app.url}/graphql`, { method: "POST", body, headers });

  test("rejects batches", async () => {
    const answer = await post('[{"query":"{ __typename }"},{"query":"{ __typename }"}]', {
      "content-type": "application/json",
    });
    expect(answer.status).toBe(400);
  });

  test("rejects text/plain and forms, which another site could send", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const answer = await post('{"query":"{ __typename }"}', { "content-type": type });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });

  test("rejects a GET without the preflight header", async () => {
    const answer = await fetch(`${app.url}/graphql?query=${encodeURIComponent("{ __typename }")}`);
    expect(answer.status).toBe(400);
  });

  test("returns 413 for a body over 100 kB and 400 for an invalid one, both in JSON", async () => {
    const big = await post(JSON.stringify({ query: "{ __typename }", variables: { a: "x".repeat(1_000_000) } }), {
      "content-type": "application/json",
    });
    expect(big.status).toBe(413);
    const invalid = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect(invalid.status).toBe(400);
    for (const answer of [big, invalid]) expect(answer.headers.get("content-type")).toContain("json");
  });

  test("sends the security headers", async () => {
    const { headers } = await app.rest("POST", "/graphql", { body: { query: "{ __typename }" } });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBeTruthy();
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});
