import { type AuthChecker, Authorized, UseMiddleware } from "type-graphql";
import type { AnyObjectSchema } from "yup";
import type { Audience } from "./audience.ts";
import type { Context } from "./context.ts";
import { authorize, getPermission, type PermissionTable } from "./permissions.ts";
import { check } from "./validate.ts";

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

/**
 * Validates arguments against rules before the method runs, and passes the cast values to the method:
 * `@Check({ input: registerRules })`.
 */
export function Check(rules: Readonly<Record<string, AnyObjectSchema>>): MethodDecorator & PropertyDecorator {
  return UseMiddleware(({ args }, next) => {
    for (const [name, rule] of Object.entries(rules)) (args as Record<string, unknown>)[name] = check(rule, args[name]);
    return next();
  });
}
