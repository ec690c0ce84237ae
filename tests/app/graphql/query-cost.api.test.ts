import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { tokenWith } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const adminUser = await createAdmin(app);
const admin = await signInAs(app, adminUser);

async function ask(query: string, cost: string | null, as?: string, variables: object = {}) {
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

test("an answer tells its cost to whoever asks, and to nobody else", async () => {
  const told = await ask("{ me { id email } }", "1", token);
  expect(told.json.extensions).toEqual({ cost: { requested: expect.any(Number), limit: 1_000 } });
  expect(told.json.data.me.email).toBe(user.email);
  expect((await ask("{ me { id email } }", null, token)).json.extensions).toBeUndefined();
  expect((await ask("{ me { id email } }", "yes", token)).json.extensions).toBeUndefined();
});

test("the cost grows with the rows that the variables ask for", async () => {
  const costOf = async (limit: number) =>
    (await ask(listOfUsers, "1", admin, { limit })).json.extensions.cost.requested as number;
  expect(await costOf(40)).toBeGreaterThan(3 * (await costOf(10)));
});

test("an answer that the database wrote carries its cost beside the same data", async () => {
  const [plain, told] = [
    await ask(listOfUsers, null, admin, { limit: 5 }),
    await ask(listOfUsers, "1", admin, { limit: 5 }),
  ];
  expect(told.json.data).toEqual(plain.json.data);
  expect(told.json.data.users.rows.length).toBeGreaterThan(0);
  const data = plain.text.trimEnd().slice(0, -1);
  expect(told.text.startsWith(`${data},"extensions":{"cost":{"requested":`)).toBe(true);
});

test.each([
  ["an admin's", expensive, admin, "10,000"],
  ["a customer's", expensiveForCustomers, token, "1,000"],
])(
  "%s query that is too expensive is refused with its cost and the limit, also without the header",
  async (_whose, query, as, limitInWords) => {
    for (const header of ["1", null]) {
      const { status, json } = await ask(query, header, as);
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

test("admins may spend ten times what customers and visitors may, and an admin who views the portal as a customer may not", async () => {
  const limitFor = async (as?: string) => (await ask("{ plans { name } }", "1", as)).json.extensions.cost.limit;
  expect(await limitFor(admin)).toBe(10_000);
  expect(await limitFor(token)).toBe(1_000);
  expect(await limitFor()).toBe(1_000);
  expect(await limitFor(await tokenWith(app, adminUser, ["users:read"]))).toBe(10_000);
  const { data } = await app.graphql(
    "mutation ($id: ID!) { viewAsCustomer(userId: $id) { accessToken } }",
    { id: user.id },
    admin,
  );
  expect(await limitFor(data.viewAsCustomer.accessToken)).toBe(1_000);
});

test("asked for the cost alone, nothing is run, also where it is beyond the limit", async () => {
  const { status, json } = await ask("{ me { id } }", "only", token);
  expect({ status, data: json.data, limit: json.extensions.cost.limit }).toEqual({
    status: 200,
    data: null,
    limit: 1_000,
  });
  const over = await ask(expensive, "only", admin);
  expect([over.status, over.json.data, over.json.errors]).toEqual([200, null, undefined]);
  expect(over.json.extensions.cost.requested).toBeGreaterThan(10_000);
  // Not even the sign-out of the one who asks.
  expect((await ask("mutation { signOut }", "only", token)).json.data).toBeNull();
  expect((await ask("{ me { id } }", null, token)).json.data.me.id).toBe(user.id);
});

test("what the tools of developers ask to learn the schema is within every limit", async () => {
  const { status, json } = await ask(getIntrospectionQuery({ inputValueDeprecation: true }), "1", token);
  expect([status, json.errors]).toEqual([200, undefined]);
  expect(json.data.__schema.queryType.name).toBe("Query");
});
