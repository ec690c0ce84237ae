import { ApolloServer } from "@apollo/server";
import { describe, expect, test } from "vitest";
import { documentLimits } from "#api/platform/graphql-limits.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const token = await signInAs(app, await createUser(app));
const adminToken = await signInAs(app, await createAdmin(app));

async function refusal(query: string, variables?: Record<string, unknown>, as = token) {
  const startedAt = performance.now();
  const answer = await app.graphql(query, variables, as);
  return { ...answer, code: answer.errors?.[0]?.extensions.code, ms: performance.now() - startedAt };
}

describe("a hostile document is refused before anything runs", () => {
  test.each<[string, string, Record<string, unknown>?]>([
    ["too many aliases", `{ ${Array.from({ length: 16 }, (_, n) => `a${n}: me { id }`).join(" ")} }`],
    ["too many tokens", `{ me { ${"id ".repeat(1_001)} } }`],
    ["too many directives", `{ me { id ${"@include(if: true) ".repeat(30)} } }`],
    ["two mutations at once", "mutation { signOut a: signOut }"],
    ["a list above 100", "{ users(filter: { limit: 101 }) { total } }"],
    [
      "a list above 100 by variable",
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
  ])("%s", async (_what, query, variables) => {
    const as = /users|bulkRun/.test(query) ? adminToken : token;
    const { status, code, errors, ms } = await refusal(query, variables, as);
    expect({ status, code }).toEqual({ status: 400, code: "BAD_USER_INPUT" });
    expect(ms).toBeLessThan(1_000);
    expect(JSON.stringify(errors)).not.toMatch(/at .*\.(ts|js):\d+|select .* from|node_modules/i);
  });
});

test.each<[string, string]>([
  ["{ me { firstNam } }", 'Cannot query field "firstNam" on type "User".'],
  ["{ mee { id } }", 'Cannot query field "mee" on type "Query".'],
  ["{ users(filtr: {}) { total } }", 'Unknown argument "filtr" on field "Query.users".'],
])("a name that is misspelt is told in one sentence, without what it is like: %s", async (query, sentence) => {
  const { errors } = await refusal(query, undefined, adminToken);
  expect(errors?.map(({ message }) => message)).toContain(sentence);
});

test("a document of 8 levels passes and one of 9 does not, __typename counted", async () => {
  // The product's own schema has no cycle to descend into; the limits are the same on one that has.
  const apollo = new ApolloServer({
    typeDefs: "type Query { node: Node } type Node { node: Node }",
    resolvers: { Query: { node: () => ({}) }, Node: { node: () => ({}) } },
    ...(documentLimits() as object),
  });
  const levels = (count: number) => `{ ${"node { ".repeat(count - 1)}__typename${" }".repeat(count - 1)} }`;
  const errorsOf = async (count: number) => {
    const { body } = await apollo.executeOperation({ query: levels(count) });
    return body.kind === "single" ? body.singleResult.errors : undefined;
  };
  expect(await errorsOf(8)).toBeUndefined();
  expect(await errorsOf(9)).toHaveLength(1);
  await apollo.stop();
});

test("field errors of the shared rules come with their fields", async () => {
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

test("unknown, foreign and malformed ids are answered alike", async () => {
  const other = await createUser(app);
  const answers = await Promise.all(
    [other.id, "00000000-0000-4000-8000-000000000000", "nonsense", "' or 1=1"].map((id) =>
      app.graphql("query Q($id: ID!) { licence(id: $id) { id } }", { id }, token),
    ),
  );
  for (const answer of answers) expect(answer.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

describe("the transport", () => {
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${app.url}/graphql`, { method: "POST", body, headers });

  test("refuses batches", async () => {
    const answer = await post('[{"query":"{ __typename }"},{"query":"{ __typename }"}]', {
      "content-type": "application/json",
    });
    expect(answer.status).toBe(400);
  });

  test("refuses text/plain and forms, which a foreign page could send", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const answer = await post('{"query":"{ __typename }"}', { "content-type": type });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });

  test("refuses a GET without the preflight header", async () => {
    const answer = await fetch(`${app.url}/graphql?query=${encodeURIComponent("{ __typename }")}`);
    expect(answer.status).toBe(400);
  });

  test("refuses a body over 100 kB with 413 and an invalid one with 400, always as JSON", async () => {
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

  test("carries the safety headers", async () => {
    const { headers } = await app.rest("POST", "/graphql", { body: { query: "{ __typename }" } });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBeTruthy();
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});
