import fc from "fast-check";
import {
  execute,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import { describe, expect, test } from "vitest";
import { ResultCode } from "#schema/result-code.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { combinedSqlReads } from "#api/app/graphql.ts";
import { type PermissionTable, getPermission } from "#api/platform/graphql/permissions.ts";
import { createColumnReads } from "#api/platform/graphql/sql-reads/columns.ts";
import { compileRead } from "#api/platform/graphql/sql-reads/compile.ts";
import { createContext } from "#api/platform/context.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import {
  blockMachine,
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
  createSubscription,
  createSuspendedLicence,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const admin = await createAdmin(app);
const adminToken = await signInAs(app, admin);
const now = app.clock.now();
const names = { firstName: "Zoë 'Quote\" \\ </script>", lastName: "Łukasiewicz-日本 😀\u2028" };
const texts = { ...names, companyName: "Line\nbreak & tab\t", pendingEmail: null };
const rich = await createUser(app, { ...texts, registeredAt: new Date("2025-03-01T00:00:00.000Z") });
await createUser(app, { registeredAt: new Date("2024-12-31T23:59:59.007Z"), emailConfirmedAt: null });
await createCorporateUser(app, { archivedAt: now, pendingEmail: "else@example.com" });
for (let n = 0; n < 3; n++) await createContact(app, rich);
await blockMachine(app, rich, "BAD-MACHINE");
await createTaxInvoice(app, rich);
await createTaxInvoice(app, rich, { cardLast4: null });
const expiresAt = addMilliseconds(now, 3 * DAY + 1);
const licence = await createLicence(app, rich, { projectTerm: "Tunnel – stage 2", expiresAt });
await createSubscription(app, licence);
await createExpiredLicence(app, rich, { productLevel: 19 });
await createRevokedLicence(app, rich, { productLevel: 9 });
await createSuspendedLicence(app, rich, { productLevel: 0 });
await createTrialLicence(app, rich, { usageCount: 30 });
const concurrent = await createConcurrentLicence(app, rich);
for (const of of [licence, concurrent]) {
  const device = await createDevice(app, of, { osUser: "CORP\\zoë", lastSeenAt: new Date("2026-01-02T03:04:05.060Z") });
  await createDevice(app, of, { offlineUntil: addMilliseconds(now, DAY), isVm: true });
  await createDevice(app, of, { offlineUntil: addMilliseconds(now, -DAY) });
  await createDevice(app, of, { freedAt: now });
  const context = app.context();
  const event = { licenceId: of.id, deviceId: device.id, machineName: "PLANNING" };
  for (const resultCode of Object.values(ResultCode))
    recordLicenceEvent(context, context.em, { kind: "validate", resultCode, ...event });
  recordLicenceEvent(context, context.em, { kind: "extend", resultCode: ResultCode.VALID, licenceId: of.id });
  await context.em.flush();
}

async function runResolvers(query: string, variables: Record<string, unknown>) {
  const actor = { userId: admin.id, sessionId: admin.id, role: "admin" as const };
  const contextValue = createContext(app.services, { actor });
  const answer = await execute({ schema, document: parse(query), variableValues: variables, contextValue });
  expect(answer.errors).toBeUndefined();
  return JSON.parse(JSON.stringify(answer.data)) as unknown;
}

/** Runs a query through the API and records its statements, except the session check. */
async function runApi(query: string, variables: Record<string, unknown>, token = adminToken) {
  let answer: Awaited<ReturnType<typeof app.graphql>> | undefined;
  const statements = await recordStatements(async () => {
    answer = await app.graphql(query, variables, token);
  });
  return { ...answer, statements: statements.filter((text) => !text.includes("from sessions s join users")) };
}

const nestedPage = `query Page($filter: UserFilter, $first: Int, $offset: Int, $order: UserOrder) {
  users(filter: $filter, first: $first, offset: $offset, order: $order) {
    total endCursor
    rows {
      __typename id firstName lastName email companyName registeredAt emailConfirmed isActive hasActiveSubscription
      contacts { id firstName lastName email phone contactType }
      comments { id comment commentedBy commentDate }
      blockedMachines { machineName blockedAt }
      licences {
        id licenceCode product subscriptionLevel productLevel expiresAt createdAt status features usageLimit usageRemaining projectTerm
        devices { id machineName lastSeenAt activatedAt osUser isVm offlineUntil events(first: 2) { rows { id at answer } } }
        events(first: 3) { rows { id at lastAt count kind code asked answer nextStep machineName deviceId osUser addInVersion hostVersion ip } }
      }
      invoices { id number kind issuedAt paidAt description amountCents discountCents gstCents totalCents currency }
    }
  }
}`;

const usersList = `query Users($filter: UserFilter, $first: Int, $offset: Int, $order: UserOrder) {
  users(filter: $filter, first: $first, offset: $offset, order: $order) { total rows { id firstName lastName email emailConfirmed memberType companyName registeredAt
    licences { id product subscriptionLevel expiresAt status numberOfMachines supportCode devices { id machineName lastSeenAt __typename } __typename } __typename } __typename }
}`;

const story = `query Story($id: ID!, $withDevices: Boolean!) {
  person: user(id: $id) { ...Who licences { id owner { id email } ... on Licence { status } devices @include(if: $withDevices) { id } } licences { supportCode } }
}
fragment Who on User { id fullName: lastName isTester invoices { totalCents } }`;

describe("a read in one statement", () => {
  const lists = "contacts { r1: id r2: id } licences { r2: id r3: id r4: id }";
  const ownAliases = `query ($id: ID!) { x: user(id: $id) { r0: id r1: id ${lists} } }`;
  const filters = { userTypes: ["REGULAR", "CORPORATE"], startDate: "2024-01-01", includeArchived: false };
  test.each<[string, string, () => Record<string, unknown>]>([
    ["the nested page", nestedPage, () => ({ first: 5 })],
    ["the nested page without matches", nestedPage, () => ({ filter: { search: "nobody-at-all" } })],
    ["a page past the end", nestedPage, () => ({ offset: 50 })],
    ["the list of users", usersList, () => ({ filter: {} })],
    ["a full page of the list", usersList, () => ({ first: 2 })],
    ["the second page of the list", usersList, () => ({ first: 2, offset: 2 })],
    ["another order", nestedPage, () => ({ first: 3, order: { by: "LAST_NAME", descending: true } })],
    ["filters", nestedPage, () => ({ filter: filters })],
    ["a search", usersList, () => ({ filter: { search: "  łukasiewicz " } })],
    ["a search with punctuation", usersList, () => ({ filter: { search: 'quote"' } })],
    ["a user with fragments, aliases and an included field", story, () => ({ id: rich.id, withDevices: true })],
    ["aliases the statement might use itself", ownAliases, () => ({ id: rich.id })],
    ["a user with an excluded field", story, () => ({ id: rich.id, withDevices: false })],
  ])("returns the same result as the resolvers for %s", async (_name, query, variables) => {
    const { statements, ...answer } = await runApi(query, variables());
    expect(answer.errors).toBeUndefined();
    expect(JSON.stringify(answer.data)).toBe(JSON.stringify(await runResolvers(query, variables())));
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(/^select row_to_json/);
  });

  test("finds the owner by support code", async () => {
    const { data } = await app.graphql("user { licences { supportCode } }", { id: rich.id }, adminToken);
    const variables = { filter: { search: ` ${data.user.licences[0].supportCode.toLowerCase()}` } };
    const { statements, data: found } = await runApi(usersList, variables);
    expect(found).toEqual(await runResolvers(usersList, variables));
    expect(found.users.rows).toHaveLength(1);
    expect(statements).toHaveLength(1);
  });

  test("returns the same result as the resolvers for any combination of fields", async () => {
    // These fields change with the request or contain rows of other tests.
    const excluded = new Set(["Query.me", "User.sessions"]);
    const selection = (type: GraphQLObjectType, depth: number): fc.Arbitrary<string> => {
      const fields = Object.values(type.getFields()).filter(({ name }) => !excluded.has(`${type.name}.${name}`));
      const chosen = fields.flatMap((field): fc.Arbitrary<string>[] => {
        const inner = getNamedType(field.type);
        if (isLeafType(inner)) return [fc.constant(field.name)];
        if (depth === 0 || !isObjectType(inner)) return [];
        const call = field.args.some(({ name }) => name === "first") ? `${field.name}(first: 3)` : field.name;
        return [selection(inner, depth - 1).map((within) => `${call} ${within}`)];
      });
      return fc.tuple(...chosen.map((one) => fc.option(one, { freq: 1 }))).map((all) => {
        const names = all.filter((one) => one !== null);
        return `{ ${["__typename", ...names].join(" ")} }`;
      });
    };
    const userType = schema.getType("User") as GraphQLObjectType;
    let inSql = 0;
    await fc.assert(
      fc.asyncProperty(selection(userType, 2), async (fields) => {
        const text = `query Q($id: ID!) { user(id: $id) ${fields} }`;
        const { data, errors, statements } = await runApi(text, { id: rich.id });
        if (errors) return;
        if (statements[0]?.startsWith("select row_to_json")) inSql++;
        expect(data).toEqual(await runResolvers(text, { id: rich.id }));
      }),
      { numRuns: 40, seed: 7 },
    );
    expect(inSql).toBeGreaterThan(0);
  });
});

describe("a read that SQL can't answer", () => {
  const runWithoutSql = async (query: string, variables: Record<string, unknown>, token?: string) => {
    const { statements, ...answer } = await runApi(query, variables, token);
    expect(statements.filter((text) => text.startsWith("select row_to_json"))).toEqual([]);
    return answer;
  };

  test("rejects customers and visitors without reading anything", async () => {
    for (const [who, code] of [
      [await createUser(app), "FORBIDDEN"],
      [await createCorporateUser(app), "FORBIDDEN"],
      [null, "UNAUTHENTICATED"],
    ] as const) {
      const token = who ? await signInAs(app, who) : "none";
      for (const [query, variables] of [
        // The cost is within the limit of customers and visitors, so that only the role can cause the rejection.
        [nestedPage, { first: 2 }],
        [usersList, { filter: {} }],
        [story, { id: rich.id, withDevices: true }],
      ] as const) {
        const answer = await runWithoutSql(query, variables, token);
        expect(getErrorCode(answer)).toBe(code);
        expect(answer.data ?? null).toBeNull();
      }
    }
  });

  test("uses the resolvers for a field that admins may not read", () => {
    const document = parse("{ users { rows { id contacts { id } } } }");
    const operation = document.definitions[0] as OperationDefinitionNode;
    const actor = { userId: rich.id, sessionId: rich.id, role: "admin", staffRoles: ["owner"] } as const;
    const context = createContext(app.services, { actor });
    const reads = { ...createColumnReads(context.orm, schema), ...combinedSqlReads };
    const compiledWith = (table: PermissionTable) =>
      compileRead({ schema, permissions: table, reads }, { document, operation, variables: {} }, context);
    expect(compiledWith(permissions)).not.toBeNull();
    const contacts = { ...getPermission(permissions, "User.contacts"), audience: "customer" as const };
    const operations = { ...permissions.operations, "User.contacts": contacts };
    expect(compiledWith({ ...permissions, operations })).toBeNull();
    const types = { ...permissions.types, Contact: { audience: "customer" } } as const;
    expect(compiledWith({ ...permissions, types })).toBeNull();
  });

  test("rejects invalid variables and filters, and an unknown user", async () => {
    expect(getErrorCode(await runWithoutSql(usersList, { first: 101 }))).toBe("BAD_USER_INPUT");
    expect(getErrorCode(await runWithoutSql(usersList, { filter: { search: "a\u0000b" } }))).toBe("BAD_USER_INPUT");
    expect(getErrorCode(await runWithoutSql(usersList, { filter: 7 }))).toBe("BAD_USER_INPUT");
    expect(getErrorCode(await runWithoutSql(usersList, { order: { by: "SHOE_SIZE" } }))).toBe("BAD_USER_INPUT");
    expect(getErrorCode(await runWithoutSql(story, { id: "nonsense", withDevices: true }))).toBe("NOT_FOUND");
    const variables = { id: "00000000-0000-4000-8000-000000000000", withDevices: true };
    expect(getErrorCode(await app.graphql(story, variables, adminToken))).toBe("NOT_FOUND");
  });

  test("uses the resolvers for a name that is too long for PostgreSQL", async () => {
    const long = "a".repeat(64);
    const { data } = await runWithoutSql(`query Q($id: ID!) { user(id: $id) { ${long}: id } }`, { id: rich.id });
    expect(data.user[long]).toBe(rich.id);
  });

  test("rejects a user who is no longer an admin", async () => {
    const other = await createAdmin(app);
    const token = await signInAs(app, other);
    const em = app.services.orm.em.fork();
    await em.nativeUpdate("User" as never, { id: other.id } as never, { memberType: 1 } as never);
    expect(getErrorCode(await runWithoutSql(nestedPage, { first: 2 }, token))).toBe("FORBIDDEN");
  });
});
