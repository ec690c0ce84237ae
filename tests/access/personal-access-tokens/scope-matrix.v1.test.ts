import { getNamedType, type GraphQLObjectType, isObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { includesRole } from "#api/platform/audience.ts";
import type { Role } from "#api/platform/context.ts";
import { routes } from "#api/v1/routes.ts";
import { scopeMissing } from "#schema/error-codes.ts";
import { mayHaveScope, type Scope, scopesOfRole } from "#schema/scopes.ts";
import { tokenWith } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createCorporateUser, createUser } from "#tests/factories/user.ts";
import { askFor, documentThrough } from "#tests/support/document-for.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import type { User } from "#api/people/users/user.entity.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const roles = ["admin", "regular", "corporate"] as const satisfies readonly Role[];
const users = {} as Record<Role, User>;
const made = new Map<string, Promise<string>>();

beforeAll(async () => {
  users.admin = await createAdmin(app);
  users.regular = await createUser(app);
  users.corporate = await createCorporateUser(app);
});

/** A token of the role with these scopes; made once. */
function tokenOf(role: Role, scopes: readonly Scope[]): Promise<string> {
  const key = `${role} ${scopes.join()}`;
  const token = made.get(key) ?? tokenWith(app, users[role], scopes);
  made.set(key, token);
  return token;
}

const ruleOf = (row: string): readonly Scope[] | "session" => {
  const rule = permissions.operations[row]?.scope;
  if (rule === undefined || rule === "session") return "session";
  if (rule === "open") return [];
  return typeof rule === "string" ? [rule] : rule;
};

const mayUse = (row: string, role: Role) => {
  const audience = permissions.operations[row]?.audience;
  return audience === undefined || includesRole(audience, role);
};

/** Every role that the row is for and that may have what it asks for. */
const callersOf = (rows: readonly string[]) =>
  roles.filter((role) =>
    rows.every((row) => {
      const needed = ruleOf(row);
      return mayUse(row, role) && (needed === "session" || needed.every((scope) => mayHaveScope(role, scope)));
    }),
  );

/** What a token gets: the refusal in words, or undefined when the scopes let it through. */
type Ask = (token: string, role: Role) => Promise<{ status: number; refusal: string | undefined }>;

/** Asks with exactly what is needed, with each of it missing, and with nothing; or, of a session's row, with everything. */
async function tryScopes(ask: Ask, role: Role, needed: readonly Scope[] | "session"): Promise<void> {
  const all = scopesOfRole(role);
  if (needed === "session") {
    expect((await ask(await tokenOf(role, all), role)).refusal).toMatch(
      /^Personal access tokens can't be used for this operation\./,
    );
    return;
  }
  expect((await ask(await tokenOf(role, needed), role)).refusal).toBeUndefined();
  for (const scope of needed) {
    const others = all.filter((one) => one !== scope);
    expect((await ask(await tokenOf(role, others), role)).refusal).toBe(scopeMissing([scope]));
  }
  if (needed.length > 0) expect((await ask(await tokenOf(role, []), role)).refusal).toBe(scopeMissing(needed));
}

describe.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  const { method, url, operation } = route;
  const ask: Ask = async (token, role) => {
    // Somebody else's profile is a matter of another scope, which a test of its own tries.
    const id = url.includes(":userId/profile") ? users[role].id : "00000000-0000-4000-8000-000000000000";
    const path = url.replace(/:\w+/g, id);
    const { status, json } = await app.rest(method, path, { token, ...(method === "GET" ? {} : { body: {} }) });
    if (status === 403 && /personal access token/i.test(json.Message)) return { status, refusal: json.Message };
    // Past the scopes: whatever the call itself says of such a request, but no refusal of who asks.
    expect([401, 500]).not.toContain(route.allow === "everyone" ? 0 : status);
    return { status, refusal: undefined };
  };
  test.each(callersOf([operation]))("%s: by its scope alone", (role) => tryScopes(ask, role, ruleOf(operation)));
});

const rootFields = Object.keys(permissions.operations).filter((row) => /^(Query|Mutation)\./.test(row));

/** The refusal of a token among an operation's errors, of which it is then the only one: nothing else ran. */
function refusalIn(errors: readonly { message: string; extensions: { code: string; reason?: string } }[] = []) {
  const refused = errors.find(({ extensions }) => ["SCOPE_MISSING", "SESSION_ONLY"].includes(extensions.reason ?? ""));
  if (refused) expect([errors.length, refused.extensions.code]).toEqual([1, "FORBIDDEN"]);
  else expect(errors.map(({ extensions }) => extensions.code)).not.toContain("FORBIDDEN");
  return refused?.message;
}

describe.each(rootFields)("%s", (row) => {
  const ask: Ask = async (token) => {
    const { errors } = await askFor(app, schema, row, token);
    return { status: 200, refusal: refusalIn(errors) };
  };
  test.each(callersOf([row]))("%s: by its scope alone", (role) => tryScopes(ask, role, ruleOf(row)));
});

/** Ways from a root field to a nested one, the shortest first; each is a list of coordinates. */
function waysTo(row: string): string[][] {
  const [typeName = ""] = row.split(".");
  const found: string[][] = [];
  let ends = rootFields.map((root) => [root]);
  for (let depth = 1; depth < 5; depth++) {
    const next: string[][] = [];
    for (const way of ends) {
      const [ofType = "", name = ""] = (way.at(-1) ?? "").split(".");
      const type = getNamedType((schema.getType(ofType) as GraphQLObjectType).getFields()[name]?.type);
      if (!isObjectType(type)) continue;
      if (type.name === typeName) found.push([...way, row]);
      else if (found.length === 0)
        for (const field of Object.values(type.getFields()))
          if (isObjectType(getNamedType(field.type))) next.push([...way, `${type.name}.${field.name}`]);
    }
    ends = next;
  }
  return found.toSorted((one, other) => one.length - other.length);
}

const nestedFields = Object.keys(permissions.operations).filter(
  (row) => !row.includes(" ") && !rootFields.includes(row),
);

/** The rows that decide about a way; what a mutation returns is read too. */
function rowsOf(way: readonly string[]): string[] {
  const types = way.slice(1).map((row) => row.split(".")[0] ?? "");
  const reads = way[0]?.startsWith("Mutation.") ? types.map((type) => permissions.types[type]?.readThrough ?? []) : [];
  return [...way, ...reads.flat()];
}

/** For each nested field a way and a role that may go it, where there is one by what a token may do, else one by a session. */
const nested = nestedFields.map((row) => {
  const own = ruleOf(row);
  const needs = (way: readonly string[]) =>
    rowsOf(way)
      .filter((other) => other !== row)
      .map(ruleOf);
  const usable = waysTo(row).filter((way) => callersOf(rowsOf(way)).length > 0);
  const open = usable.filter((way) => !needs(way).includes("session"));
  // One whose other fields ask for other scopes shows that the field itself is looked at.
  const apart = open.filter(
    (way) => !needs(way).some((need) => own !== "session" && own.some((one) => need.includes(one))),
  );
  return [row, apart[0] ?? open[0] ?? usable[0] ?? [], apart.length > 0] as const;
});

describe("nested fields", () => {
  test("all have a way, and most one on which nothing else asks for their scope", () => {
    expect(nested.filter(([, way]) => way.length === 0)).toEqual([]);
    expect(nested.filter(([, , apart]) => apart).map(([row]) => row)).toEqual(
      expect.arrayContaining(["User.licences", "User.sessions", "Licence.owner", "User.contacts", "User.invoices"]),
    );
  });

  test.each(nested)("%s: by the scopes of its way (%j)", async (_row, way) => {
    const role = callersOf(rowsOf(way))[0] as Role;
    const rules = rowsOf(way).map(ruleOf);
    const needed = rules.includes("session") ? "session" : [...new Set(rules.flat() as Scope[])];
    const document = documentThrough(schema, way);
    await tryScopes(
      async (token) => {
        const { errors, status } = await app.graphql(document, {}, token);
        return { status, refusal: refusalIn(errors) };
      },
      role,
      needed,
    );
  });
});
