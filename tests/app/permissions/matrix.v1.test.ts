import { expect, test } from "vitest";
import { checkPermissions, findPermissionFaults, permissions, readPermissions } from "#api/app/permissions.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { getPermission, type Permission, type PermissionTable } from "#api/platform/graphql/permissions.ts";
import { routes } from "#api/v1/routes.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { chooseCallers, testMatrix } from "./test-matrix.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
// matrix.long.test.ts tries every caller.
await testMatrix(app, chooseCallers);

test("an admin's mutation, a route that changes something and a file have no class of harm by default", () => {
  const allow = { audience: "admin", roles: "all", scope: "users:read" } as const;
  const route = (operation: string, fileTypes: string[] = []) => ({ operation, allow, fileTypes });
  const made = [route("GET /v1/list"), route("POST /v1/change"), route("GET /v1/file", ["text/csv"])];
  const table = readPermissions(schema, made).operations;
  expect(made.map(({ operation }) => table[operation]?.harm)).toEqual(["none", undefined, undefined]);
});

test("the permissions cover every field, type and route, or the server doesn't start", () => {
  expect(findPermissionFaults(schema, routes)).toEqual([]);
  expect(() => checkPermissions(schema, routes)).not.toThrow();
  const gone = { method: "GET", url: "/v1/gone", allow: undefined, operation: "Query.gone", fileTypes: [] } as const;
  expect(() => checkPermissions(schema, [...routes, gone])).toThrow("- GET /v1/gone has no permission: Query.gone");
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
])("the check of the permissions reports %s and how to fix it", (_name, table, fault) => {
  expect(findPermissionFaults(schema, routes, table as PermissionTable)).toContain(fault);
});
