import { beforeAll, describe, expect, test } from "vitest";
import { checkPermissions, findPermissionFaults } from "#api/app/check-permissions.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions, readPermissions } from "#api/app/permissions.ts";
import { harmRules } from "#api/platform/graphql/harm.ts";
import { includesRole } from "#api/platform/graphql/audience.ts";
import { getPermission, type Permission, type PermissionTable } from "#api/platform/graphql/permissions.ts";
import type { ScopeRule } from "#api/platform/graphql/token-scopes.ts";
import { canHaveScope, getRoleScopes, type Scope } from "#schema/personal-access-token.ts";
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
  const safeguards = harmRules[row.harm ?? "none"];
  if (caller === "personal access token of an owner")
    return safeguards.refusesTokens || !hasAdminScopes(row.scope) ? 403 : "through";
  if (caller === "owner without a recent proof") return safeguards.needsProof ? "prove" : "through";
  if (role !== "admin" || caller === "owner" || row.roles === undefined || row.roles === "all") return "through";
  return row.roles.some((one) => one === caller) ? "through" : 403;
}

const hasAdminScopes = (rule: ScopeRule = "session") =>
  rule === "open" || (rule !== "session" && [rule].flat().every((scope) => canHaveScope("admin", scope as Scope)));

test("an admin's mutation, a route that changes something and a file have no class of harm by default", () => {
  const allow = { audience: "admin", roles: "all", scope: "users:read" } as const;
  const route = (operation: string, fileTypes: string[] = []) => ({ operation, allow, fileTypes });
  const table = readPermissions(schema, [
    route("GET /v1/list"),
    route("POST /v1/change"),
    route("GET /v1/file", ["text/csv"]),
  ]).operations;
  expect(["GET /v1/list", "POST /v1/change", "GET /v1/file"].map((name) => table[name]?.harm)).toEqual([
    "none",
    undefined,
    undefined,
  ]);
});

describe("the permissions", () => {
  test("cover every field, type and route", () => {
    expect(findPermissionFaults(schema, routes)).toEqual([]);
    expect(() => checkPermissions(schema, routes)).not.toThrow();
  });

  const { operations, types } = permissions;
  const omit = <Row>(rows: Readonly<Record<string, Row>>, name: string) =>
    Object.fromEntries(Object.entries(rows).filter(([key]) => key !== name));
  const change = (name: string, changes: Partial<Permission>) => ({
    operations: { ...operations, [name]: { ...getPermission(permissions, name), ...changes } as Permission },
    types,
  });

  test.each([
    [
      "a query without @Allow",
      { operations: omit(operations, "Query.users"), types },
      'Query.users has no permission. Write @Allow("…", { … }) above the method.',
    ],
    [
      "a property that leads to another type without @Scope",
      { operations: omit(operations, "SignInResult.session"), types },
      'SignInResult.session leads to SessionTokens and has no permission. Write @Allow("…", { … }) above the method, or @Scope("…") above the property.',
    ],
    [
      "a type without @VisibleTo",
      { operations, types: omit(types, "PlanPrice") },
      'The type PlanPrice has no audience. Write @VisibleTo("…") above it.',
    ],
    [
      "a route without `allow`",
      { operations: omit(operations, "POST /v1/licence/validate"), types },
      "POST /v1/licence/validate has no permission: POST /v1/licence/validate isn't a GraphQL operation. Name the one with the same function, or write `allow: { … }`.",
    ],
    [
      "an admin operation without roles",
      change("Query.auditLog", { roles: undefined }),
      "Query.auditLog is for admins and names no roles. Add `roles`.",
    ],
    [
      "an admin's change without a class of harm",
      change("Mutation.addComment", { harm: undefined }),
      "Mutation.addComment is for admins and names no class of harm. Add `harm`.",
    ],
    [
      "a scope for what is closed to tokens",
      change("Mutation.publishSoftware", { scope: "software:write" }),
      "Mutation.publishSoftware is of the class release, which is closed to tokens. Remove its scope.",
    ],
    [
      "a field that leads to a type for fewer callers",
      { operations, types: { ...types, PlanPrice: { audience: "admin" as const } } },
      "Plan.prices is for everyone, but leads to PlanPrice, which is for admin. Narrow Plan.prices or widen the type's audience.",
    ],
    [
      "a type that is read through an unknown operation",
      { operations: omit(operations, "User.comments"), types },
      "Comment is read through User.comments, which isn't an operation.",
    ],
  ])("reports %s and how to fix it", (_name, table, fault) => {
    expect(findPermissionFaults(schema, routes, table as PermissionTable)).toContain(fault);
  });

  test("stop the server from starting if a route names an operation that doesn't exist", () => {
    const gone = { method: "GET", url: "/v1/gone", allow: undefined, operation: "Query.gone", fileTypes: [] } as const;
    expect(() => checkPermissions(schema, [...routes, gone])).toThrow("- GET /v1/gone has no permission: Query.gone");
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
