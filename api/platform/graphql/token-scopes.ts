import { describeMissingScopes, NETWORK_NOT_ALLOWED } from "#schema/error-codes.ts";
import { canHaveScope, type Scope } from "#schema/personal-access-token.ts";
import { type Actor, type Context, requireActor } from "#api/platform/context.ts";
import { AppError, sessionOnly } from "#api/platform/errors.ts";

/**
 * The scopes that a personal access token needs for an operation: one scope, or every scope in a list. `session` isn't
 * available to tokens; `open` needs no scope.
 */
export type ScopeRule = Scope | readonly Scope[] | "session" | "open";

/**
 * Checks that a personal access token has the required scopes. Callers with a session pass. Roles are checked
 * separately (`requireAudience`).
 * @throws AppError FORBIDDEN with the reason NETWORK_NOT_ALLOWED, SESSION_ONLY, or SCOPE_MISSING with the missing scopes in the message;
 * FORBIDDEN without a reason if the owner's role can't have a scope
 */
export function requireScopes(rules: readonly (ScopeRule | undefined)[], actor: Actor | null): void {
  const token = actor?.token;
  if (!actor || !token) return;
  if (token.isRefusedHere)
    throw new AppError("FORBIDDEN", { message: NETWORK_NOT_ALLOWED, reason: "NETWORK_NOT_ALLOWED" });
  const missing = new Set<Scope>();
  for (const rule of rules) {
    if (rule === "open") continue;
    if (rule === undefined || rule === "session") throw sessionOnly();
    for (const scope of typeof rule === "string" ? [rule] : rule) if (!token.scopes.has(scope)) missing.add(scope);
  }
  if (missing.size === 0) return;
  if (![...missing].every((scope) => canHaveScope(actor.role, scope))) throw new AppError("FORBIDDEN");
  throw new AppError("FORBIDDEN", { message: describeMissingScopes([...missing]), reason: "SCOPE_MISSING" });
}

export interface SessionActor extends Actor {
  readonly sessionId: string;
}

/**
 * Returns the caller if it has a session.
 * @throws AppError UNAUTHENTICATED for visitors; FORBIDDEN with the reason SESSION_ONLY for personal access tokens
 */
export function requireSession(context: Pick<Context, "actor">): SessionActor {
  const actor = requireActor(context);
  const { sessionId } = actor;
  if (sessionId === null) throw sessionOnly();
  return { ...actor, sessionId };
}
