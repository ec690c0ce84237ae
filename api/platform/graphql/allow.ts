import { type AuthChecker, Authorized, Extensions } from "type-graphql";
import type { Audience } from "./audience.ts";
import type { Context } from "#api/platform/context.ts";
import {
  type AllowedRoles,
  authorize,
  type Permission,
  type PermissionRules,
  type TypePermission,
} from "./permissions.ts";
import type { ScopeRule } from "./token-scopes.ts";

/**
 * Declares who may use a query, mutation or nested field, which is checked before the method runs:
 * `@Allow("admin", { roles: ["support"], scope: "licences:write" })`.
 */
export function Allow<Who extends Audience>(
  audience: Who,
  rules: PermissionRules<Who>,
): MethodDecorator & PropertyDecorator {
  const permission = { audience, ...rules };
  const decorate = (...decorated: Parameters<MethodDecorator>): void => {
    Authorized(permission)(...decorated);
    Extensions({ permission })(...decorated);
  };
  return decorate as MethodDecorator & PropertyDecorator;
}

/**
 * Declares the scope that a personal access token needs for a property that leads to another type. Everyone who sees the
 * property's type sees the property, because it has no method. Its roles are the ones of the operations that lead to the type.
 */
export function Scope(scope: ScopeRule, roles: AllowedRoles = "all"): PropertyDecorator {
  return Extensions({ scope, roles });
}

/** Declares the audience of a type's plain fields: `@VisibleTo("customer")`. */
export function VisibleTo(audience: Audience, rules: Omit<TypePermission, "audience"> = {}): ClassDecorator {
  return Extensions({ visibleTo: { audience, ...rules } });
}

/** Enforces the permission of each field decorated with {@link Allow}. */
export const checkAllowed: AuthChecker<Context, Permission> = ({ root, context, info }, [permission]) => {
  const name = `${info.parentType.name}.${info.fieldName}`;
  if (!permission) throw new Error(`${name} has no permission`);
  const ownerId = info.parentType.name === "User" ? (root as { readonly id: string }).id : undefined;
  authorize(permission, [name], context.actor, ownerId);
  return true;
};
