import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { includesRole } from "#api/platform/audience.ts";
import type { Role } from "#api/platform/context.ts";
import { askFrom } from "#tests/factories/addin.ts";
import { createLease, lease as askLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const callers = ["regular", "corporate", "admin"] as const satisfies readonly Role[];
const tokens: Partial<Record<Role, string>> = {};

// Every list on the way has a row, so that a refusal cannot hide behind an empty one.
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
    // A seat too many, for the denials.
    await askLease(app, licence, await createDevice(app, licence));
    await askFrom(app, device, "validate", licence);
  }
});

const mayUse = (name: string, caller: Role): boolean => {
  const row = permissions.operations[name] ?? permissions.types[name];
  return row === undefined || includesRole(row.audience, caller);
};

/** The fields from `me` to a type, each of which the caller may use; null where there is no such way. */
function wayTo(typeName: string, caller: Role): string[] | null {
  const seen = new Set(["User"]);
  let ends: { type: GraphQLObjectType; way: string[] }[] = [
    { type: schema.getType("User") as GraphQLObjectType, way: ["me"] },
  ];
  while (ends.length > 0) {
    const found = ends.find(({ type }) => type.name === typeName);
    if (found) return found.way;
    ends = ends.flatMap(({ type, way }) =>
      Object.values(type.getFields()).flatMap((field) => {
        const next = getNamedType(field.type);
        const usable =
          isObjectType(next) &&
          !seen.has(next.name) &&
          mayUse(`${type.name}.${field.name}`, caller) &&
          mayUse(next.name, caller);
        if (!usable) return [];
        seen.add(next.name);
        return [{ type: next, way: [...way, field.name] }];
      }),
    );
  }
  return null;
}

/**
 * Every nested field of the table and every caller who has a way to its type. Without one, each way passes a field or
 * a root that refuses, which the rows of those say.
 */
const cases = Object.keys(permissions.operations)
  .filter((row) => !row.includes(" ") && !/^(Query|Mutation)\./.test(row))
  .flatMap((row) => callers.map((caller) => [row, caller, wayTo(row.split(".")[0] ?? "", caller)] as const))
  .filter(([, , way]) => way !== null);

test.each(cases)("%s answers a %s as its row says", async (row, caller, way) => {
  const [typeName = "", fieldName = ""] = row.split(".");
  const field = (schema.getType(typeName) as GraphQLObjectType).getFields()[fieldName];
  const leaf = isObjectType(getNamedType(field?.type)) ? `${fieldName} { __typename }` : fieldName;
  const document = `{ ${way?.join(" { ")} { ${leaf} ${"}".repeat((way?.length ?? 0) + 1)}`;
  const { errors } = await app.graphql(document, {}, tokens[caller]);
  const codes = new Set((errors ?? []).map((error) => error.extensions.code));
  expect([...codes]).toEqual(mayUse(row, caller) ? [] : ["FORBIDDEN"]);
});

test("the fields that customers must not see are among them", () => {
  const refused = cases.filter(([row, caller]) => !mayUse(row, caller)).map(([row]) => row);
  expect(refused).toEqual(expect.arrayContaining(["User.contacts", "Licence.owner", "LicenceEvent.ip"]));
});
