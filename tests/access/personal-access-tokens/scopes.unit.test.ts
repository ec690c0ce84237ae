import { getNamedType, isObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";
import { type Audience, includesRole } from "#api/platform/audience.ts";
import { type Permission, permissionOf } from "#api/platform/permissions.ts";
import type { ScopeRule } from "#api/platform/token-scopes.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { routes } from "#api/v1/routes.ts";
import { explainScope, isScope, mayHaveScope, type Scope, scopeNames, scopes, scopesOfRole } from "#schema/scopes.ts";

/** The permission of each operation and of each route. */
const rows: readonly (readonly [string, Permission])[] = [
  ...Object.entries(permissions.operations),
  ...routes.map(({ method, url, operation }) => [`${method} ${url}`, permissionOf(permissions, operation)] as const),
];
const rules: Readonly<Record<string, ScopeRule>> = Object.fromEntries(rows.map(([name, { scope }]) => [name, scope]));
const audiences = Object.fromEntries(rows.map(([name, { audience }]) => [name, audience]));
const roles = ["regular", "corporate", "admin"] as const;
const needed = (rule: ScopeRule): readonly Scope[] =>
  rule === "session" || rule === "open" ? [] : typeof rule === "string" ? [rule] : rule;

/** POSTs that change nothing: what they ask with does not fit an address. */
const readingPosts = new Set([
  "POST /v1/users/filter",
  "POST /v1/comments/get",
  "POST /v1/reports/download-licence-code-report",
  "POST /v1/reports/download-report",
]);
const changesSomething = (row: string) =>
  row.startsWith("Mutation.") || (/^(?!GET )[A-Z]+ /.test(row) && !readingPosts.has(row));
const isDoor = (row: string) => row.includes(" ") || /^(Query|Mutation)\./.test(row);

describe("the table of scopes", () => {
  test("never lets a scope for reading change anything, nor asks for one for writing to read", () => {
    for (const [row, rule] of Object.entries(rules).filter(([name]) => isDoor(name)))
      for (const scope of needed(rule)) expect([row, scope.endsWith(":write")]).toEqual([row, changesSomething(row)]);
  });

  test("leaves nothing that changes something open, but what the add-in asks", () => {
    const open = Object.keys(rules).filter((row) => changesSomething(row) && rules[row] === "open");
    expect(open.filter((row) => !row.startsWith("POST /v1/licence/"))).toEqual([]);
  });

  test("keeps signing in, passwords, sessions, tokens, paying and leaving for people", () => {
    const forPeople =
      /password|sign(?:In|Out)(?!g)|session|twoStep|passkey|recovery|authenticator|AccessToken|auth\/|subscri\w+$|paymentDetails|payment-details|deleteMyAccount|my-data|viewAs|bulk/i;
    const reads = ["Query.subscriptionStatus", "User.twoStepSince", "User.hasActiveSubscription"];
    const rows = Object.keys(rules).filter(
      (row) =>
        forPeople.test(row) && !reads.includes(row) && !row.startsWith("Dashboard.") && !row.startsWith("Subscription"),
    );
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows)
      if (!row.startsWith("GET /v1/subscriptions/")) expect([row, rules[row]]).toEqual([row, "session"]);
  });
});

describe("scopes", () => {
  test("are given to the roles that have a use for them, and to no others", () => {
    for (const scope of scopeNames) {
      const doors = Object.keys(rules).filter(
        // A yes or no that everybody's row has makes no use of its own.
        (row) => row !== "User.hasActiveSubscription" && needed(rules[row] as ScopeRule).includes(scope),
      );
      // What admins do with webhooks reaches every customer: only a person does it.
      const asked = scope.startsWith("webhooks:") ? (["regular", "corporate"] as const) : roles;
      for (const role of doors.length > 0 ? asked : [])
        expect([scope, role, mayHaveScope(role, scope)]).toEqual([
          scope,
          role,
          doors.some((row) => includesRole(audiences[row] as Audience, role)),
        ]);
    }
  });

  test("of staff are no customer's", () => {
    expect(scopesOfRole("admin")).toEqual(scopeNames.filter((scope) => !scope.startsWith("webhooks:")));
    for (const role of ["regular", "corporate"] as const)
      expect(scopesOfRole(role).filter((scope) => /^(users|promo|reports)|software:write/.test(scope))).toEqual([]);
    expect(scopesOfRole("corporate")).not.toContain("billing:read");
  });

  test("have a label and a sentence each; an admin reads how far theirs reach", () => {
    expect(new Set(scopeNames.map((scope) => scopes[scope].label)).size).toBe(scopeNames.length);
    for (const scope of scopeNames) for (const role of roles) expect(explainScope(scope, role)).toMatch(/^[A-Z].+\.$/);
    expect(explainScope("licences:read", "admin")).not.toBe(explainScope("licences:read", "regular"));
  });

  test("are told from other words, also from those that every object has", () => {
    expect(["licences:read", "licences", "toString", "__proto__", ""].filter(isScope)).toEqual(["licences:read"]);
  });
});

test("every type that a token's change may answer with says through which row it is read", () => {
  const schema = buildGraphqlSchema();
  /** What came of the change, and nothing that a token could not know. */
  const outcomes = [
    "DeactivateDeviceResult",
    "ActivateOfflineResult",
    "WebhookEndpointSecret",
    "DeactivationAllowance",
  ];
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
