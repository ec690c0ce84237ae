import { beforeAll, describe, expect, test } from "vitest";
import { checkPermissions, findPermissionFaults } from "#api/app/check-permissions.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { type Audience, includesRole } from "#api/platform/audience.ts";
import { getPermission, type Permission } from "#api/platform/permissions.ts";
import type { ScopeRule } from "#api/platform/token-scopes.ts";
import { canHaveScope, getRoleScopes, type Scope } from "#schema/scopes.ts";
import { routes } from "#api/v1/routes.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, signInWithOldProof } from "#tests/factories/user.ts";
import { requestField } from "#tests/support/request-field.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const roles = ["owner", "support", "finance", "release"] as const;
const callers = [
  "visitor",
  "regular",
  "corporate",
  ...roles,
  "owner without a recent proof",
  "personal access token of an owner",
] as const;
type Caller = (typeof callers)[number];
const tokens = new Map<Caller, string>();

beforeAll(async () => {
  tokens.set("regular", await signInAs(app, await createUser(app)));
  tokens.set("corporate", await signInAs(app, await createCorporateUser(app)));
  for (const role of roles) tokens.set(role, await signInAs(app, await createAdmin(app, { staffRoles: [role] })));
  const owner = await createAdmin(app);
  tokens.set("owner without a recent proof", await signInWithOldProof(app, owner));
  tokens.set(
    "personal access token of an owner",
    await createTokenWithScopes(app, await createAdmin(app), getRoleScopes("admin")),
  );
});

const audienceRoles = { regular: "regular", corporate: "corporate" } as const;

/** Returns the expected outcome for a caller: access, an error's status, or a missing proof. */
function getExpectedOutcome(row: Permission, caller: Caller): "through" | "prove" | 401 | 403 {
  if (caller === "visitor") return row.audience === "everyone" ? "through" : 401;
  const role = caller === "regular" || caller === "corporate" ? audienceRoles[caller] : "admin";
  if (!includesRole(row.audience, role)) return 403;
  if (caller === "personal access token of an owner")
    return row.scope === "session" || !hasAdminScopes(row.scope) ? 403 : "through";
  if (caller === "owner without a recent proof") return row.proof === "recent" ? "prove" : "through";
  if (role !== "admin" || caller === "owner" || row.roles === undefined || row.roles === "all") return "through";
  return row.roles.some((one) => one === caller) ? "through" : 403;
}

const hasAdminScopes = (rule: ScopeRule) =>
  rule === "open" || [rule].flat().every((scope) => canHaveScope("admin", scope as Scope));

describe("permission table", () => {
  test("has a row for every @Allow and route, and each row matches", () => {
    expect(findPermissionFaults(schema, routes)).toEqual([]);
    expect(() => checkPermissions(schema, routes)).not.toThrow();
  });

  const { operations, types } = permissions;
  const omitRow = <Row>(rows: Readonly<Record<string, Row>>, name: string) =>
    Object.fromEntries(Object.entries(rows).filter(([key]) => key !== name));
  const changeAudience = (name: string, audience: Audience) => ({
    ...operations,
    [name]: { ...getPermission(permissions, name), audience } as Permission,
  });
  const adminRow = { audience: "admin", roles: "all", scope: "open" } as const;

  test.each([
    [
      "a missing row for a field",
      { operations: omitRow(operations, "Query.users"), types },
      'Query.users has no row. Add `"Query.users": { audience: "admin", scope: "…" }` to its operations.',
    ],
    [
      "a missing row for a property that leads to another type",
      { operations: omitRow(operations, "SignInResult.session"), types },
      'SignInResult.session has no row. Add `"SignInResult.session": { audience: "…", scope: "…" }` to its operations.',
    ],
    [
      "a missing row for a type",
      { operations, types: omitRow(types, "PlanPrice") },
      'The type PlanPrice has no row. Add `PlanPrice: { audience: "…" }` to its types.',
    ],
    [
      "a missing row for a route",
      { operations: omitRow(operations, "POST /v1/licence/validate"), types },
      'POST /v1/licence/validate has no row. Add `"POST /v1/licence/validate": { audience: "everyone", scope: "…" }` to its operations, or name the GraphQL operation with the same function in the route: `operation: "Mutation.…"`.',
    ],
    [
      "a row that differs from @Allow",
      { operations: changeAudience("Query.auditLog", "signedIn"), types },
      "Query.auditLog: the row says signedIn, @Allow says admin. Make them the same.",
    ],
    [
      "a row that differs from the route",
      { operations: changeAudience("GET /v1/users/:id", "signedIn"), types },
      "GET /v1/users/:id: the row of GET /v1/users/:id says signedIn, allow says admin. Make them the same.",
    ],
    [
      "a row narrower than an unchecked property",
      { operations: changeAudience("SignInResult.session", "admin"), types },
      'SignInResult.session: the row says admin, but without @Allow everyone who sees SignInResult sees it. Write @Allow("admin") above it, or change the row.',
    ],
    [
      "a field that leads to a type for fewer callers",
      { operations, types: { ...types, PlanPrice: { audience: "admin" as const } } },
      "Plan.prices is for everyone, but leads to PlanPrice, which is for admin. Narrow Plan.prices or widen the type's row.",
    ],
    [
      "a row without an operation",
      { operations: { ...operations, "Query.gone": adminRow }, types },
      "Query.gone has a row but no field or route. Delete the row, or correct its name.",
    ],
    [
      "a row for a removed type",
      { operations, types: { ...types, Gone: adminRow } },
      "Gone has a row among the types but is not in the schema. Delete the row.",
    ],
  ])("reports %s and how to fix it", (_name, table, fault) => {
    expect(findPermissionFaults(schema, routes, table)).toContain(fault);
  });

  test("stops the server from starting if a route has no row", () => {
    const gone = { method: "GET", url: "/v1/gone", allow: "admin", operation: "GET /v1/gone" } as const;
    expect(() => checkPermissions(schema, [...routes, gone])).toThrow(
      "api/app/permissions.ts and the operations differ:\n- GET /v1/gone has no row.",
    );
  });
});

/** Calls one operation as every caller at the same time, and returns the outcomes by caller. */
const callAsEach = async (callOnce: (token: string | undefined) => Promise<unknown>) =>
  Object.fromEntries(await Promise.all(callers.map(async (caller) => [caller, await callOnce(tokens.get(caller))])));

const expectOutcomes = (row: Permission) =>
  Object.fromEntries(callers.map((caller) => [caller, getExpectedOutcome(row, caller)]));

// Revoking would end the callers' sessions.
test.each(
  routes.filter(({ url }) => !url.endsWith("/revoke")).map((route) => [`${route.method} ${route.url}`, route] as const),
)("%s answers every caller as its row says before it reads the body", async (_name, route) => {
  const row = getPermission(permissions, route.operation);
  const outcomes = await callAsEach(async (token) => {
    const { status, headers, json } = await app.rest(
      route.method,
      route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000"),
      { ...(token ? { token } : {}), ...(route.method === "GET" ? {} : { body: {} }) },
    );
    const type = status === 200 ? (route.fileTypes[0] ?? "application/json") : "application/json";
    if (!headers.get("content-type")?.includes(type)) return `sends ${headers.get("content-type")}`;
    if (status === 403 && json.code === "step_up_required") return "prove";
    // A refusal has a message. Without one, the endpoint itself rejected a password or code.
    return [401, 403].includes(status) && json?.Message ? status : "through";
  });
  expect(outcomes).toEqual(expectOutcomes(row));
});

const refusals: Readonly<Record<string, unknown>> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, STEP_UP_REQUIRED: "prove" };
// Signing out would end the callers' sessions.
const rootFields = Object.keys(permissions.operations).filter(
  (row) => /^(Query|Mutation)\./.test(row) && row !== "Mutation.signOut",
);

test("refuses a visitor's sign-out", async () => {
  const { errors } = await requestField(app, schema, "Mutation.signOut");
  expect(errors).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
});

test.each(rootFields)("%s answers every caller as its row says", async (name) => {
  const row = getPermission(permissions, name);
  const outcomes = await callAsEach(async (token) => {
    const { errors } = await requestField(app, schema, name, token);
    const codes = (errors ?? []).map(({ extensions }) => extensions.code).join();
    // Everyone may call the sign-in, which rejects a wrong password with the same code as a missing session.
    if (codes === "UNAUTHENTICATED" && row.audience === "everyone") return "through";
    return refusals[codes] ?? (/FORBIDDEN|STEP_UP/.test(codes) ? codes : "through");
  });
  expect(outcomes).toEqual(expectOutcomes(row));
});
