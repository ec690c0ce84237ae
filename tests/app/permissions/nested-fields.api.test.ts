import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { includesRole } from "#api/platform/audience.ts";
import type { Role } from "#api/platform/context.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createLease, buildLease as askLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const callers = ["regular", "corporate", "admin"] as const satisfies readonly Role[];
const tokens: Partial<Record<Role, string>> = {};

// Every list on the path has a row, because an empty list would hide a rejection.
beforeAll(async () => {
  const users = {
    regular: await createUser(app),
    corporate: await createCorporateUser(app),
    admin: await createAdmin(app),
  };
  for (const caller of callers) {
    tokens[caller] = await signInAs(app, users[caller]);
    const licence = await createConcurrentLicence(app, users[caller], { numberOfUsers: 1 });
    const device = await createDevice(app, licence);
    await createLease(app, device);
    // One seat too many, to record a denial.
    await askLease(app, licence, await createDevice(app, licence));
    await callAddinFrom(app, device, "validate", licence);
  }
});

const canUse = (name: string, caller: Role): boolean => {
  const row = permissions.operations[name] ?? permissions.types[name];
  return row === undefined || includesRole(row.audience, caller);
};

/** Returns the fields from `me` to a type that the caller may use, or null if there is no such path. */
function findPath(typeName: string, caller: Role): string[] | null {
  const seen = new Set(["User"]);
  let ends: { type: GraphQLObjectType; path: string[] }[] = [
    { type: schema.getType("User") as GraphQLObjectType, path: ["me"] },
  ];
  while (ends.length > 0) {
    const found = ends.find(({ type }) => type.name === typeName);
    if (found) return found.path;
    ends = ends.flatMap(({ type, path }) =>
      Object.values(type.getFields()).flatMap((field) => {
        const next = getNamedType(field.type);
        const usable =
          isObjectType(next) &&
          !seen.has(next.name) &&
          canUse(`${type.name}.${field.name}`, caller) &&
          canUse(next.name, caller);
        if (!usable) return [];
        seen.add(next.name);
        return [{ type: next, path: [...path, field.name] }];
      }),
    );
  }
  return null;
}

/**
 * Every nested field of the table with every caller who can reach its type. For other callers, a field or root on each path
 * is forbidden, which other rows test.
 */
const cases = Object.keys(permissions.operations)
  .filter((row) => !row.includes(" ") && !/^(Query|Mutation)\./.test(row))
  .flatMap((row) => callers.map((caller) => [row, caller, findPath(row.split(".")[0] ?? "", caller)] as const))
  .filter(([, , path]) => path !== null);

test.each(cases)("allows or rejects %s for %s callers as its row says", async (row, caller, path) => {
  const [typeName = "", fieldName = ""] = row.split(".");
  const field = (schema.getType(typeName) as GraphQLObjectType).getFields()[fieldName];
  const leaf = isObjectType(getNamedType(field?.type)) ? `${fieldName} { __typename }` : fieldName;
  const document = `{ ${path?.join(" { ")} { ${leaf} ${"}".repeat((path?.length ?? 0) + 1)}`;
  const { errors } = await app.graphql(document, {}, tokens[caller]);
  const codes = new Set((errors ?? []).map((error) => error.extensions.code));
  expect([...codes]).toEqual(canUse(row, caller) ? [] : ["FORBIDDEN"]);
});

test("covers the fields customers must not see", () => {
  const refused = cases.filter(([row, caller]) => !canUse(row, caller)).map(([row]) => row);
  expect(refused).toEqual(expect.arrayContaining(["User.contacts", "Licence.owner", "LicenceEvent.ip"]));
});
