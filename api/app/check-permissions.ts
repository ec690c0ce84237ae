import { getNamedType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { isWithin } from "#api/platform/graphql/audience.ts";
import { harmRules } from "#api/platform/graphql/harm.ts";
import type { Permission, PermissionTable } from "#api/platform/graphql/permissions.ts";
import type { Route } from "#api/platform/http/define-route.ts";
import { getProductTypes, readPermissions } from "./permissions.ts";

/** The properties of a `/v1` route that the check reads. */
type RouteToCheck = Pick<Route, "method" | "url" | "operation" | "allow" | "fileTypes">;

/**
 * Checks that each field, type and route has a permission. The server doesn't start otherwise.
 * @throws Error that lists every fault and how to fix it
 */
export function checkPermissions(schema: GraphQLSchema, routes: readonly RouteToCheck[]): void {
  const faults = findPermissionFaults(schema, routes);
  if (faults.length > 0) throw new Error(`Permissions are missing or contradict each other:\n- ${faults.join("\n- ")}`);
}

/** Returns what is missing or contradictory in the permissions. */
export function findPermissionFaults(
  schema: GraphQLSchema,
  routes: readonly RouteToCheck[],
  table: PermissionTable = readPermissions(schema, routes),
): string[] {
  const types = getProductTypes(schema);
  return [
    ...types.flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => findFieldFaults(table, type, field, isRoot(schema, type))),
    ),
    ...types
      .filter((type) => !isRoot(schema, type) && !table.types[type.name])
      .map(({ name }) => `The type ${name} has no audience. Write @VisibleTo("…") above it.`),
    ...routes
      .filter(({ operation }) => !table.operations[operation])
      .map(
        ({ method, url, operation }) =>
          `${method} ${url} has no permission: ${operation} isn't a GraphQL operation. Name the one with the same function, or write \`allow: { … }\`.`,
      ),
    ...Object.entries(table.operations).flatMap(([name, permission]) => findRuleFaults(name, permission)),
    ...Object.entries(table.types)
      .filter(([, { readThrough }]) => readThrough && !table.operations[readThrough])
      .map(([name, { readThrough }]) => `${name} is read through ${readThrough}, which isn't an operation.`),
  ];
}

function findFieldFaults(
  table: PermissionTable,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  isRootField: boolean,
): string[] {
  const name = `${type.name}.${field.name}`;
  const permission = table.operations[name];
  const named = getNamedType(field.type);
  const leadsTo = isObjectType(named) ? named.name : undefined;
  if (!permission) {
    if (isRootField) return [`${name} has no permission. Write @Allow("…", { … }) above the method.`];
    return leadsTo
      ? [
          `${name} leads to ${leadsTo} and has no permission. Write @Allow("…", { … }) above the method, or @Scope("…") above the property.`,
        ]
      : [];
  }
  const bound = leadsTo && table.types[leadsTo]?.audience;
  return bound && !isWithin(permission.audience, bound)
    ? [
        `${name} is for ${permission.audience}, but leads to ${leadsTo}, which is for ${bound}. Narrow ${name} or widen the type's audience.`,
      ]
    : [];
}

function findRuleFaults(name: string, { audience, roles, harm, scope }: Permission): string[] {
  return [
    ...(audience === "admin" && !roles ? [`${name} is for admins and names no roles. Add \`roles\`.`] : []),
    ...(harm ? [] : [`${name} is for admins and names no class of harm. Add \`harm\`.`]),
    ...(harm && harmRules[harm].refusesTokens && scope !== "session"
      ? [`${name} is of the class ${harm}, which is closed to tokens. Remove its scope.`]
      : []),
  ];
}

function isRoot(schema: GraphQLSchema, type: GraphQLObjectType): boolean {
  return type === schema.getQueryType() || type === schema.getMutationType();
}
