import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { includesRole } from "#api/platform/graphql/audience.ts";
import { type Role, roles as callers } from "#schema/roles.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createLease, buildLease as askLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const tokens: Partial<Record<Role, string>> = {};

// Every list on a path contains a record, because an empty list would hide a rejection.
const [regular, corporate, admin] = [await createUser(app), await createCorporateUser(app), await createAdmin(app)];
const users = { regular, corporate, admin };
for (const caller of callers) {
  tokens[caller] = await signInAs(app, users[caller]);
  const licence = await createConcurrentLicence(app, users[caller], { numberOfUsers: 1 });
  const device = await createDevice(app, licence);
  await createLease(app, device);
  // Request one seat too many, to record a denial.
  await askLease(app, licence, await createDevice(app, licence));
  await callAddinFrom(app, device, "validate", licence);
}

const canUse = (name: string, caller: Role): boolean => {
  const row = permissions.operations[name] ?? permissions.types[name];
  return row === undefined || includesRole(row.audience, caller);
};

/** A query has at most 8 levels, and the tested field with what is selected of it are two. */
const MAX_PATH = 6;

/** Returns the fields from `me` to a type that the caller may use, or null if there is no such path that a query can have. */
function findPath(typeName: string, caller: Role): string[] | null {
  const seen = new Set(["User"]);
  let ends: { type: GraphQLObjectType; path: string[] }[] = [
    { type: schema.getType("User") as GraphQLObjectType, path: ["me"] },
  ];
  while (ends.length > 0) {
    const found = ends.find(({ type }) => type.name === typeName);
    if (found) return found.path.length > MAX_PATH ? null : found.path;
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
 * Every nested field in the table, with a path for each caller who can reach its type. On every path, other callers are
 * refused an earlier field, and the test of that field covers the refusal.
 */
const cases = Object.keys(permissions.operations)
  .filter((row) => !row.includes(" ") && !/^(Query|Mutation)\./.test(row))
  .map((row) => {
    const paths = callers.map((caller) => [caller, findPath(row.split(".")[0] ?? "", caller)] as const);
    return [row, paths.filter((pair): pair is [(typeof callers)[number], string[]] => pair[1] !== null)] as const;
  })
  .filter(([, paths]) => paths.length > 0);

test.each(cases)("%s answers every caller as its row says", async (row, paths) => {
  const [typeName = "", fieldName = ""] = row.split(".");
  const field = (schema.getType(typeName) as GraphQLObjectType).getFields()[fieldName];
  const leaf = isObjectType(getNamedType(field?.type)) ? `${fieldName} { __typename }` : fieldName;
  const answers = paths.map(async ([caller, path]) => {
    const document = `{ ${path.join(" { ")} { ${leaf} ${"}".repeat(path.length + 1)}`;
    const { errors = [] } = await app.graphql(document, {}, tokens[caller]);
    return [caller, [...new Set(errors.map((error) => error.extensions.code))]];
  });
  expect(Object.fromEntries(await Promise.all(answers))).toEqual(
    Object.fromEntries(paths.map(([caller]) => [caller, canUse(row, caller) ? [] : ["FORBIDDEN"]])),
  );
});

test("covers the fields customers must not see", () => {
  const refused = cases.filter(([row, paths]) => paths.some(([caller]) => !canUse(row, caller))).map(([row]) => row);
  expect(refused).toEqual(expect.arrayContaining(["User.contacts", "Licence.owner", "LicenceEvent.ip"]));
});
