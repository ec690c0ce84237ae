import { expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { harmRules } from "#api/platform/graphql/harm.ts";
import { includesRole } from "#api/platform/graphql/audience.ts";
import { getPermission, type Permission } from "#api/platform/graphql/permissions.ts";
import type { ScopeRule } from "#api/platform/graphql/token-scopes.ts";
import { canHaveScope, getRoleScopes, type Scope } from "#schema/personal-access-token.ts";
import { routes } from "#api/v1/routes.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, signInWithOldProof } from "#tests/factories/user.ts";
import { requestField } from "#tests/support/request-field.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const roles = ["owner", "support", "finance", "release"] as const;
const restricted = ["owner without a recent proof", "personal access token of an owner"] as const;
const callers = ["visitor", "regular", "corporate", ...roles, ...restricted] as const;
type Caller = (typeof callers)[number];
async function createTokens(app: TestApp): Promise<ReadonlyMap<Caller, string>> {
  const tokens = new Map<Caller, string>();
  tokens.set("regular", await signInAs(app, await createUser(app)));
  tokens.set("corporate", await signInAs(app, await createCorporateUser(app)));
  for (const role of roles) tokens.set(role, await signInAs(app, await createAdmin(app, { staffRoles: [role] })));
  tokens.set("owner without a recent proof", await signInWithOldProof(app, await createAdmin(app)));
  const admin = await createAdmin(app);
  tokens.set("personal access token of an owner", await createTokenWithScopes(app, admin, getRoleScopes("admin")));
  return tokens;
}

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

const outside = { visitor: "visitor", regular: "customer", corporate: "customer" };
const staff = { owner: "staff", support: "staff", finance: "staff", release: "staff" };
const owners = { "owner without a recent proof": "old proof", "personal access token of an owner": "token" };
/** What distinguishes callers besides their outcome. */
const kinds: Readonly<Record<Caller, string>> = { ...outside, ...staff, ...owners };

/** Chooses one caller of each kind for each outcome that a row has, and others for the next row. */
export function chooseCallers(row: Permission, index: number): readonly Caller[] {
  const found = Map.groupBy(callers, (caller) => `${kinds[caller]} ${getExpectedOutcome(row, caller)}`);
  // Without the need of a proof, an old one is like any other session of an owner.
  found.delete("old proof through");
  return [...found.values()].flatMap((alike) => alike[index % alike.length] ?? []);
}

const refusals: Readonly<Record<string, unknown>> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, STEP_UP_REQUIRED: "prove" };

/**
 * Defines a test for each route and root field that calls it with different permissions.
 * @param choose which callers of a row to try. By default every one.
 */
export async function testMatrix(
  app: TestApp,
  choose: (row: Permission, index: number) => readonly Caller[] = () => callers,
) {
  const schema = buildGraphqlSchema();
  const tokens = await createTokens(app);

  /** Calls one operation as each caller at the same time. */
  const expectOutcomes = async (row: Permission, index: number, callOnce: (token?: string) => Promise<unknown>) => {
    const chosen = choose(row, index);
    const outcomes = await Promise.all(chosen.map(async (caller) => [caller, await callOnce(tokens.get(caller))]));
    expect(outcomes).toEqual(chosen.map((caller) => [caller, getExpectedOutcome(row, caller)]));
  };

  // Revoking would end the callers' sessions.
  test.each(
    routes
      .filter(({ url }) => !url.endsWith("/revoke"))
      .map((route, index) => [`${route.method} ${route.url}`, route, index] as const),
  )("%s answers each caller as its row says before it reads the body", async (_name, route, index) => {
    const row = getPermission(permissions, route.operation);
    await expectOutcomes(row, index, async (token) => {
      const path = route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");
      const body = route.method === "GET" ? undefined : {};
      const { status, headers, json } = await app.rest(route.method, path, { token, body });
      const type = status === 200 ? (route.fileTypes[0] ?? "application/json") : "application/json";
      if (!headers.get("content-type")?.includes(type)) return `sends ${headers.get("content-type")}`;
      if (status === 403 && json.code === "step_up_required") return "prove";
      // A refusal has a message. Without one, the endpoint itself rejected a password or code.
      return [401, 403].includes(status) && json?.Message ? status : "through";
    });
  });

  // Signing out would end the callers' sessions.
  const rootFields = Object.keys(permissions.operations)
    .filter((row) => /^(Query|Mutation)\./.test(row) && row !== "Mutation.signOut")
    .map((name, index) => [name, index] as const);

  test("refuses a visitor's sign-out", async () => {
    const { errors } = await requestField(app, schema, "Mutation.signOut");
    expect(errors).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
  });

  test.each(rootFields)("%s answers each caller as its row says", async (name, index) => {
    const row = getPermission(permissions, name);
    await expectOutcomes(row, index, async (token) => {
      const { errors } = await requestField(app, schema, name, token);
      const codes = (errors ?? []).map(({ extensions }) => extensions.code).join();
      // Everyone may call the sign-in, which rejects a wrong password with the same code as a missing session.
      if (codes === "UNAUTHENTICATED" && row.audience === "everyone") return "through";
      return refusals[codes] ?? (/FORBIDDEN|STEP_UP/.test(codes) ? codes : "through");
    });
  });
}
