import { beforeAll, describe, expect, test } from "vitest";
import { buildGraphqlSchema, coordinatesOf, permissionFaults } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { type Route, routeFaults } from "#api/v1/frame.ts";
import { type Audience, rolesOfAudience } from "#api/platform/audience.ts";
import { routes } from "#api/v1/routes.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { askFor } from "#tests/support/document-for.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const callers = ["visitor", "regular", "corporate", "admin"] as const;
const tokens: Record<(typeof callers)[number], string | undefined> = {
  visitor: undefined,
  regular: undefined,
  corporate: undefined,
  admin: undefined,
};

beforeAll(async () => {
  tokens.regular = await signInAs(app, await createUser(app));
  tokens.corporate = await signInAs(app, await createCorporateUser(app));
  tokens.admin = await signInAs(app, await createAdmin(app));
});

/** What the caller must get: through, not signed in, or not allowed. */
function expected(audience: Audience, caller: (typeof callers)[number]): "through" | 401 | 403 {
  if (audience === "everyone") return "through";
  if (caller === "visitor") return 401;
  return rolesOfAudience[audience].includes(caller) ? "through" : 403;
}

describe("the table of permissions", () => {
  test("agrees with every @Allow, and has a row for every root field, type and nested field", () => {
    expect(permissionFaults(schema)).toEqual([]);
  });

  test("names a field without a row", () => {
    const before = permissions["Query.users"];
    try {
      delete (permissions as Record<string, unknown>)["Query.users"];
      expect(permissionFaults(schema)).toContain("Query.users has no row");
    } finally {
      (permissions as Record<string, unknown>)["Query.users"] = before;
    }
  });

  test("has a row for every route, saying what the route says, and none for a route that is gone", () => {
    expect(routeFaults(routes)).toEqual([]);
    const [first, ...others] = routes as [Route, ...Route[]];
    const name = `${first.method} ${first.url}`;
    const allow = first.allow === "admin" ? "everyone" : "admin";
    expect(routeFaults(others)).toEqual([`${name} has a row but no route. Remove it.`]);
    expect(routeFaults([{ ...first, allow }, ...others])).toEqual([
      `${name}: the table says ${first.allow}, the route ${allow}`,
    ]);
    expect(routeFaults([{ ...first, url: "/v1/new" }, ...others])).toContain(
      `${first.method} /v1/new has no row. Add one.`,
    );
  });
});

describe.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test.each(callers)("answers a %s as its row says, before the body is looked at", async (caller) => {
    // A throwaway session where the call would end it.
    const token = caller === "visitor" ? undefined : tokens[caller];
    if (route.url.endsWith("/revoke")) return;
    const answer = await app.rest(route.method, route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000"), {
      ...(token ? { token } : {}),
      ...(route.method === "GET" ? {} : { body: {} }),
    });
    const outcome = expected(route.allow, caller);
    if (outcome === "through")
      expect([401, 403].includes(answer.status) && answer.json?.Message !== undefined).toBe(false);
    else expect(answer.status).toBe(outcome);
    expect(answer.headers.get("content-type")).toContain("application/json");
  });
});

const rootFields = Object.keys(permissions).filter((row) => /^(Query|Mutation)\./.test(row));

describe.each(rootFields)("%s", (row) => {
  test.each(callers)("answers a %s as its row says", async (caller) => {
    if (row === "Mutation.signOut" && caller !== "visitor") return;
    const { errors } = await askFor(app, schema, row, tokens[caller]);
    const codes = (errors ?? []).map((error) => error.extensions.code);
    const outcome = expected(permissions[row]?.audience as Audience, caller);
    if (outcome === 401) expect(codes).toEqual(["UNAUTHENTICATED"]);
    else if (outcome === 403) expect(codes).toEqual(["FORBIDDEN"]);
    else expect(codes).not.toContain("FORBIDDEN");
  });
});

test("every coordinate of the table is in the schema", () => {
  const coordinates = new Set(coordinatesOf(schema));
  for (const row of Object.keys(permissions).filter((name) => !name.includes(" "))) expect(coordinates).toContain(row);
});
