import { getNamedType, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { getMetadataStorage } from "type-graphql";
import { type Audience, isWithin } from "#api/platform/audience.ts";
import type { PermissionTable } from "#api/platform/permissions.ts";
import { permissions } from "./permissions.ts";

const TABLE = "api/app/permissions.ts";

/** The properties of a `/v1` route that the check compares. */
interface RouteToCheck {
  readonly method: string;
  readonly url: string;
  readonly allow: Audience;
  readonly operation: string;
}

/**
 * Checks that the permission table matches the operations. The server doesn't start if they differ.
 * @throws Error that lists every difference and how to fix it
 */
export function checkPermissions(schema: GraphQLSchema, routes: readonly RouteToCheck[]): void {
  const faults = findPermissionFaults(schema, routes);
  if (faults.length > 0) throw new Error(`${TABLE} and the operations differ:\n- ${faults.join("\n- ")}`);
}

/** Returns the differences between the permission table, the `@Allow` decorators and the `allow:` of the routes. */
export function findPermissionFaults(
  schema: GraphQLSchema,
  routes: readonly RouteToCheck[],
  table: PermissionTable = permissions,
): string[] {
  const fields = getProductTypes(schema).flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ type, name: `${type.name}.${field.name}`, field })),
  );
  const stated = readAllowedAudiences();
  const routeNames = new Set(routes.map(({ operation }) => operation));
  const known = new Set([...fields.map(({ name }) => name), ...routeNames]);
  return [
    ...fields.flatMap(({ type, name, field }) => {
      const named = getNamedType(field.type);
      const leadsTo = isObjectType(named) ? named.name : undefined;
      return findFieldFaults(table, { name, type: type.name, leadsTo, stated: stated.get(name) }, isRoot(schema, type));
    }),
    ...getProductTypes(schema)
      .filter((type) => !isRoot(schema, type) && !table.types[type.name])
      .map(({ name }) => `The type ${name} has no row. Add \`${name}: { audience: "…" }\` to its types.`),
    ...routes.flatMap((route) => findRouteFaults(table, route)),
    ...Object.entries(table.operations)
      .filter(([, { proof, scope }]) => proof === "recent" && scope !== "session")
      .map(([name]) => `${name} needs a recent proof, which tokens can't give. Set its scope to session.`),
    ...Object.keys(table.operations)
      .filter((name) => !known.has(name))
      .map((name) => `${name} has a row but no field or route. Delete the row, or correct its name.`),
    ...Object.keys(table.types)
      .filter((name) => !isObjectType(schema.getType(name)))
      .map((name) => `${name} has a row among the types but is not in the schema. Delete the row.`),
  ];
}

function findFieldFaults(
  table: PermissionTable,
  field: { name: string; type: string; leadsTo: string | undefined; stated: Audience | undefined },
  isRootField: boolean,
): string[] {
  const { name, type, leadsTo, stated } = field;
  const row = table.operations[name];
  if (!row) {
    if (!isRootField && !stated && !leadsTo) return [];
    return [`${name} has no row. Add \`"${name}": { audience: "${stated ?? "…"}", scope: "…" }\` to its operations.`];
  }
  if (isRootField && !stated) return [`${name} has no @Allow. Write @Allow("${row.audience}") above the method.`];
  // A plain property has no method that checks the caller, so every caller who can read its type can read it.
  const actual = stated ?? table.types[type]?.audience;
  const faults =
    row.audience === actual
      ? []
      : [
          stated
            ? `${name}: the row says ${row.audience}, @Allow says ${stated}. Make them the same.`
            : `${name}: the row says ${row.audience}, but without @Allow everyone who sees ${type} sees it. Write @Allow("${row.audience}") above it, or change the row.`,
        ];
  const bound = leadsTo && table.types[leadsTo]?.audience;
  return bound && !isWithin(row.audience, bound)
    ? [
        ...faults,
        `${name} is for ${row.audience}, but leads to ${leadsTo}, which is for ${bound}. Narrow ${name} or widen the type's row.`,
      ]
    : faults;
}

function findRouteFaults(table: PermissionTable, { method, url, allow, operation }: RouteToCheck): string[] {
  const name = `${method} ${url}`;
  const row = table.operations[operation];
  if (!row)
    return [
      `${name} has no row. Add \`"${name}": { audience: "${allow}", scope: "…" }\` to its operations, or name the GraphQL operation with the same function in the route: \`operation: "Mutation.…"\`.`,
    ];
  const isSame = row.audience === allow;
  return isSame
    ? []
    : [`${name}: the row of ${operation} says ${row.audience}, allow says ${allow}. Make them the same.`];
}

function isRoot(schema: GraphQLSchema, type: GraphQLObjectType): boolean {
  return type === schema.getQueryType() || type === schema.getMutationType();
}

function getProductTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith("__"),
  );
}

/** Returns the audiences given by `@Allow`, keyed by `Type.field`. */
function readAllowedAudiences(): Map<string, Audience> {
  const { queries, mutations, objectTypes } = getMetadataStorage();
  const fieldsOfTypes = [
    ["Query", queries],
    ["Mutation", mutations],
    ...objectTypes.map((type) => [type.name, type.fields ?? []] as const),
  ] as const;
  return new Map(
    fieldsOfTypes.flatMap(([type, fields]) =>
      fields.flatMap(({ schemaName, roles }) =>
        roles?.[0] ? [[`${type}.${schemaName}`, roles[0] as Audience] as const] : [],
      ),
    ),
  );
}
