import { getNamedType, isObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";
import { type Audience, includesRole } from "#api/platform/graphql/audience.ts";
import { type Permission, getPermission } from "#api/platform/graphql/permissions.ts";
import type { ScopeRule } from "#api/platform/graphql/token-scopes.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { routes } from "#api/v1/routes.ts";
import {
  canHaveScope,
  explainScope,
  getRoleScopes,
  isScope,
  type Scope,
  scopeNames,
  scopes,
} from "#schema/personal-access-token.ts";
import { findLabel } from "#schema/closed-list.ts";

const rows: readonly (readonly [string, Permission])[] = [
  ...Object.entries(permissions.operations),
  ...routes.map(({ method, url, operation }) => [`${method} ${url}`, getPermission(permissions, operation)] as const),
];
const rules: Readonly<Record<string, ScopeRule>> = Object.fromEntries(
  rows.map(([name, { scope }]) => [name, scope ?? "session"]),
);
const audiences = Object.fromEntries(rows.map(([name, { audience }]) => [name, audience]));
const roles = ["regular", "corporate", "admin"] as const;
const needed = (rule: ScopeRule): readonly Scope[] =>
  rule === "session" || rule === "open" ? [] : typeof rule === "string" ? [rule] : rule;

/** POST routes that only read data. They use POST because their parameters don't fit in a URL. */
const readingPosts = new Set([
  "POST /v1/users/filter",
  "POST /v1/comments/get",
  "POST /v1/reports/download-licence-code-report",
  "POST /v1/reports/download-report",
  "POST /v1/reports/download-security-events",
  "POST /v1/reports/download-revenue",
  "POST /v1/reports/download-tax",
  "POST /v1/reports/download-invoices",
  "POST /v1/reports/download-accounting",
  "POST /v1/reports/download-subscriptions",
  "POST /v1/users/export",
  "POST /v1/core/accounts/statement/download",
  "POST /v1/admin/statement/download",
]);
const changesSomething = (row: string) =>
  row.startsWith("Mutation.") || (/^(?!GET )[A-Z]+ /.test(row) && !readingPosts.has(row));
const isEntryPoint = (row: string) => row.includes(" ") || /^(Query|Mutation)\./.test(row);

describe("scope rules", () => {
  test("require write scopes for changes and read scopes for reads", () => {
    for (const [row, rule] of Object.entries(rules).filter(([name]) => isEntryPoint(name)))
      for (const scope of needed(rule)) expect([row, scope.endsWith(":write")]).toEqual([row, changesSomething(row)]);
  });

  test("leave no write operation open except the add-in's calls", () => {
    const open = Object.keys(rules).filter((row) => changesSomething(row) && rules[row] === "open");
    expect(open.filter((row) => !row.startsWith("POST /v1/licence/"))).toEqual([]);
  });

  test("require a session for sign-in, passwords, sessions, tokens, payments and account deletion", () => {
    const sessionOnly =
      /password|sign(?:In|Out)(?!g)|session|twoStep|passkey|recovery|authenticator|AccessToken|auth\/|subscri\w+$|paymentDetails|payment-details|deleteMyAccount|my-data|viewAs|bulk/i;
    const reads = [
      "Query.subscriptionStatus",
      "Query.billingSubscriptions",
      "Query.subscriptionActionPreview",
      "AttentionRow.subscription",
      "BulkRow.licence",
      "BulkRow.user",
      "POST /v1/reports/download-accounting",
      "POST /v1/reports/download-subscriptions",
      "User.twoStepSince",
      "User.hasActiveSubscription",
      "User.billingSubscriptions",
      "AuditEntry.bulkRunName",
    ];
    const rows = Object.keys(rules).filter(
      (row) =>
        sessionOnly.test(row) &&
        !reads.includes(row) &&
        !row.startsWith("Dashboard.") &&
        !row.startsWith("Subscription"),
    );
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows)
      if (!row.startsWith("GET /v1/subscriptions/")) expect([row, rules[row]]).toEqual([row, "session"]);
  });
});

describe("scopes", () => {
  test("are offered only to roles that can use them", () => {
    for (const scope of scopeNames) {
      const entryPoints = Object.keys(rules).filter(
        // This boolean is part of every user row and doesn't make a scope useful.
        (row) => row !== "User.hasActiveSubscription" && needed(rules[row] as ScopeRule).includes(scope),
      );
      // An admin's webhooks receive events for every customer, so admins need a session to manage them.
      const eligibleRoles = scope.startsWith("webhooks:") ? (["regular", "corporate"] as const) : roles;
      for (const role of entryPoints.length > 0 ? eligibleRoles : [])
        expect([scope, role, canHaveScope(role, scope)]).toEqual([
          scope,
          role,
          entryPoints.some((row) => includesRole(audiences[row] as Audience, role)),
        ]);
    }
  });

  test("for staff are not offered to customers", () => {
    expect(getRoleScopes("admin")).toEqual(scopeNames.filter((scope) => !scope.startsWith("webhooks:")));
    for (const role of ["regular", "corporate"] as const)
      expect(getRoleScopes(role).filter((scope) => /^(users|promo|reports)|software:write/.test(scope))).toEqual([]);
  });

  test("have a label and an explanation, and a different explanation for admins", () => {
    expect(new Set(scopeNames.map((scope) => findLabel(scopes, scope))).size).toBe(scopeNames.length);
    for (const scope of scopeNames) for (const role of roles) expect(explainScope(scope, role)).toMatch(/^[A-Z].+\.$/);
    expect(explainScope("licences:read", "admin")).not.toBe(explainScope("licences:read", "regular"));
  });

  test("are recognised by their exact names, unlike inherited object properties", () => {
    expect(["licences:read", "licences", "toString", "__proto__", ""].filter(isScope)).toEqual(["licences:read"]);
  });
});

test("every result type of a mutation declares the row whose scopes apply to reading it", () => {
  const schema = buildGraphqlSchema();
  /** Types that only describe the outcome of a change. */
  const outcomes = `DeactivateDeviceResult ActivateOfflineResult DeletedObject WebhookEndpointSecret
    DeactivationAllowance ReplayedEvents`.split(/\s+/);
  const answers = Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ name }) => rules[`Mutation.${name}`] !== "session" && rules[`Mutation.${name}`] !== "open")
    .map(({ type }) => getNamedType(type))
    .filter(isObjectType)
    .map(({ name }) => name);
  const readThrough = Object.entries(permissions.types).flatMap(([type, row]) =>
    row.readThrough ? [[type, row.readThrough] as const] : [],
  );
  const known = [...readThrough.map(([type]) => type), ...outcomes];
  expect([...new Set(answers)].filter((name) => !known.includes(name))).toEqual([]);
  for (const [, row] of readThrough) expect(needed(rules[row] as ScopeRule)[0]).toMatch(/:read$/);
});
