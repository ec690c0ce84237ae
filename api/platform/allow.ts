import { type AuthChecker, Authorized, UseMiddleware } from "type-graphql";
import type { AnyObjectSchema } from "yup";
import type { Audience } from "./audience.ts";
import type { Context } from "./context.ts";
import { authorize, permissionOf, type PermissionTable } from "./permissions.ts";
import { check } from "./validate.ts";

/** Shows above a query, mutation or nested field who may use it; must match the audience of its row in the permissions. */
export function Allow(audience: Audience): MethodDecorator & PropertyDecorator {
  return Authorized(audience);
}

/** Returns the checker that enforces the row of each field that carries {@link Allow}. */
export function createAuthChecker(permissions: PermissionTable): AuthChecker<Context, Audience> {
  return ({ context, info }) => {
    const name = `${info.parentType.name}.${info.fieldName}`;
    authorize(permissionOf(permissions, name), [name], context.actor);
    return true;
  };
}

/**
 * Checks the arguments named by the keys against their rules before the method runs, and hands it the
 * cast values: `@Check({ input: registerRules })`.
 */
export function Check(rules: Readonly<Record<string, AnyObjectSchema>>): MethodDecorator & PropertyDecorator {
  return UseMiddleware(({ args }, next) => {
    for (const [name, rule] of Object.entries(rules)) (args as Record<string, unknown>)[name] = check(rule, args[name]);
    return next();
  });
}
