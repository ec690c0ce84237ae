import { type AuthChecker, Authorized } from "type-graphql";
import type { Audience } from "./audience.ts";
import type { Context } from "./context.ts";
import { authorize, getPermission, type PermissionTable } from "./permissions.ts";

/** Declares the audience of a query, mutation or nested field. It must match the audience of its permission row. */
export function Allow(audience: Audience): MethodDecorator & PropertyDecorator {
  return Authorized(audience);
}

/** Creates the checker that enforces the permission row of each field decorated with {@link Allow}. */
export function createAuthChecker(permissions: PermissionTable): AuthChecker<Context, Audience> {
  return ({ context, info }) => {
    const name = `${info.parentType.name}.${info.fieldName}`;
    authorize(getPermission(permissions, name), [name], context.actor);
    return true;
  };
}
