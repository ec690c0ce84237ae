import { getNamedType, type GraphQLObjectType, isObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { includesRole } from "#api/platform/graphql/audience.ts";
import type { Role } from "#api/platform/context.ts";
import { routes } from "#api/v1/routes.ts";
import { describeMissingScopes } from "#schema/error-codes.ts";
import { canHaveScope, getRoleScopes, type Scope } from "#schema/personal-access-token.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createCorporateUser, createUser } from "#tests/factories/user.ts";
import { requestField, buildNestedDocument } from "#tests/support/request-field.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import type { User } from "#api/people/users/user.entity.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const roles = ["admin", "regular", "corporate"] as const satisfies readonly Role[];
const users = {} as Record<Role, User>;
const tokens = new Map<string, Promise<string>>();

beforeAll(async () => {
  users.admin = await createAdmin(app);
  users.regular = await createUser(app);
  users.corporate = await createCorporateUser(app);
});

/** Returns a token with these scopes for a user of the role. Each token is created on first use. */
function getToken(role: Role, scopes: readonly Scope[]): Promise<string> {
  const key = `${role} ${scopes.join()}`;
  const token = tokens.get(key) ?? createTokenWithScopes(app, users[role], scopes);
  tokens.set(key, token);
  return token;
}

const getRule = (row: string): readonly Scope[] | "session" => {
  const rule = permissions.operations[row]?.scope;
  if (rule === undefined || rule === "session") return "session";
  if (rule === "open") return [];
  return typeof rule === "string" ? [rule] : rule;
};

const canUse = (row: string, role: Role) => {
  const audience = permissions.operations[row]?.audience;
  return audience === undefined || includesRole(audience, role);
};

/** Returns the roles that can use all of the rows and can have the scopes that the rows require. */
const findCallers = (rows: readonly string[]) =>
  roles.filter((role) =>
    rows.every((row) => {
      const needed = getRule(row);
      return canUse(row, role) && (needed === "session" || needed.every((scope) => canHaveScope(role, scope)));
    }),
  );

/** Makes a call with a token. Returns the refusal, or undefined if the scopes allow the call. */
type Call = (token: string, role: Role) => Promise<string | undefined>;

/**
 * Calls with exactly the required scopes, with each one missing, and with none of several. For rows that require a session,
 * calls with all scopes. Returns the calls with another result than declared.
 */
async function findDeviations(name: string, call: Call, role: Role, needed: readonly Scope[] | "session") {
  const all = getRoleScopes(role);
  const expected: [readonly Scope[], string | undefined][] =
    needed === "session"
      ? [[all, "Personal access tokens can't be used for this operation."]]
      : [
          [needed, undefined],
          ...needed.map((scope) => [all.filter((one) => one !== scope), describeMissingScopes([scope])] as never),
          // Without its only scope, a row was called above.
          ...(needed.length > 1 ? [[[], describeMissingScopes(needed)] as never] : []),
        ];
  const deviations: unknown[] = [];
  for (const [scopes, refusal] of expected) {
    const said = await call(await getToken(role, scopes), role);
    if (needed === "session" ? !said?.startsWith(refusal ?? "") : said !== refusal)
      deviations.push({ name, role, scopes, refusal, said });
  }
  return deviations;
}

/** Returns one of the roles, so that consecutive rows test different ones. */
const pickRole = (callers: readonly Role[], index: number) => callers[index % callers.length];

test("every route requires exactly the declared scopes", async () => {
  const deviations: unknown[] = [];
  for (const [index, { method, url, operation }] of routes.entries()) {
    const name = `${method} ${url}`;
    const call: Call = async (token, role) => {
      // Another user's profile needs an additional scope, which another test covers.
      const id = url.includes(":userId/profile") ? users[role].id : "00000000-0000-4000-8000-000000000000";
      const path = url.replace(/:\w+/g, id);
      const { status, json } = await app.rest(method, path, { token, ...(method === "GET" ? {} : { body: {} }) });
      if (status === 403 && /personal access token/i.test(json.Message)) return json.Message;
      // The scopes allow the call. The call itself may return any error except a refusal of the caller.
      return permissions.operations[operation]?.audience !== "everyone" && [401, 500].includes(status)
        ? `status ${status}`
        : undefined;
    };
    const role = pickRole(findCallers([operation]), index);
    if (role) deviations.push(...(await findDeviations(name, call, role, getRule(operation))));
  }
  expect(deviations).toEqual([]);
});

const rootFields = Object.keys(permissions.operations).filter((row) => /^(Query|Mutation)\./.test(row));

/** Returns the refusal among an operation's errors. It must be the only error, because nothing else ran. */
function refusalIn(errors: readonly { message: string; extensions: { code: string; reason?: string } }[] = []) {
  const refused = errors.find(({ extensions }) => ["SCOPE_MISSING", "SESSION_ONLY"].includes(extensions.reason ?? ""));
  if (refused) expect([errors.length, refused.extensions.code]).toEqual([1, "FORBIDDEN"]);
  else expect(errors.map(({ extensions }) => extensions.code)).not.toContain("FORBIDDEN");
  return refused?.message;
}

test("every root field requires exactly the declared scopes", async () => {
  const deviations: unknown[] = [];
  for (const [index, row] of rootFields.entries()) {
    const call: Call = async (token) => refusalIn((await requestField(app, schema, row, token)).errors);
    const role = pickRole(findCallers([row]), index);
    if (role) deviations.push(...(await findDeviations(row, call, role, getRule(row))));
  }
  expect(deviations).toEqual([]);
});

/** Returns the paths from a root field to a nested field, shortest first. Each is a list of coordinates. */
function findPaths(row: string): string[][] {
  const [typeName = ""] = row.split(".");
  const found: string[][] = [];
  let ends = rootFields.map((root) => [root]);
  for (let depth = 1; depth < 5; depth++) {
    const next: string[][] = [];
    for (const path of ends) {
      const [ofType = "", name = ""] = (path.at(-1) ?? "").split(".");
      const type = getNamedType((schema.getType(ofType) as GraphQLObjectType).getFields()[name]?.type);
      if (!isObjectType(type)) continue;
      if (type.name === typeName) found.push([...path, row]);
      else if (found.length === 0)
        for (const field of Object.values(type.getFields()))
          if (isObjectType(getNamedType(field.type))) next.push([...path, `${type.name}.${field.name}`]);
    }
    ends = next;
  }
  return found.toSorted((one, other) => one.length - other.length);
}

const nestedFields = Object.keys(permissions.operations).filter(
  (row) => !row.includes(" ") && !rootFields.includes(row),
);

/** Returns the rows that apply to a path. A mutation also needs the rows through which its result is read. */
function getRows(path: readonly string[]): string[] {
  const isMutation = path[0]?.startsWith("Mutation.") ?? false;
  return path.flatMap((row, depth) => {
    const read = isMutation && depth > 0 ? permissions.types[row.split(".")[0] ?? ""]?.readThrough : undefined;
    return [row, read ?? []].flat();
  });
}

/** A path for each nested field and a role that can use it, with a token if possible, otherwise with a session. */
const nested = nestedFields.map((row) => {
  const own = getRule(row);
  const needs = (path: readonly string[]) =>
    getRows(path)
      .filter((other) => other !== row)
      .map(getRule);
  const usable = findPaths(row).filter((path) => findCallers(getRows(path)).length > 0);
  const open = usable.filter((path) => !needs(path).includes("session"));
  // A path with different scopes on its other fields shows that the field itself is checked.
  const isolated = open.filter(
    (path) => !needs(path).some((need) => own !== "session" && own.some((one) => need.includes(one))),
  );
  return [row, isolated[0] ?? open[0] ?? usable[0] ?? [], isolated.length > 0] as const;
});

describe("nested fields", () => {
  test("have a path, and most have one on which no other field needs the same scope", () => {
    expect(nested.filter(([, path]) => path.length === 0)).toEqual([]);
    expect(nested.filter(([, , isolated]) => isolated).map(([row]) => row)).toEqual(
      expect.arrayContaining(["User.licences", "User.sessions", "Licence.owner", "User.contacts", "User.invoices"]),
    );
  });

  test("require the scopes of their path", async () => {
    const deviations: unknown[] = [];
    for (const [row, path] of nested) {
      const role = findCallers(getRows(path))[0] as Role;
      const rules = getRows(path).map(getRule);
      const needed = rules.includes("session") ? "session" : [...new Set(rules.flat() as Scope[])];
      const document = buildNestedDocument(schema, path);
      const call: Call = async (token) => refusalIn((await app.graphql(document, {}, token)).errors);
      deviations.push(...(await findDeviations(`${row} (${path.join(", ")})`, call, role, needed)));
    }
    expect(deviations).toEqual([]);
  });
});
