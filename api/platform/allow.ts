import { type AuthCheckerInterface, Authorized, type ResolverData, UseMiddleware } from "type-graphql";
import type { AnyObjectSchema } from "yup";
import { type Audience, admit } from "./audience.ts";
import type { Context } from "./context.ts";
import { check } from "./validate.ts";
import { refuseToViewers } from "./view-only.ts";

/** Says above a query, mutation or nested field whom it is for; the row of `api/app/permissions.ts` must agree. */
export function Allow(audience: Audience): MethodDecorator & PropertyDecorator {
  return Authorized(audience);
}

/** Enforces {@link Allow}. */
export class AudienceChecker implements AuthCheckerInterface<Context, Audience> {
  check({ context, info }: ResolverData<Context>, [audience]: Audience[]): boolean {
    refuseToViewers(`${info.parentType.name}.${info.fieldName}`, context.actor);
    admit(audience ?? "admin", context.actor);
    return true;
  }
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
