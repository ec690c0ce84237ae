import { SESSION_ONLY, scopeMissing } from "#schema/error-codes.ts";
import { mayHaveScope, type Scope } from "#schema/scopes.ts";
import type { Actor, Context } from "./context.ts";
import { AppError } from "./errors.ts";

/**
 * What a call or field asks of a personal access token: a scope, or all of several; `session` is closed to every token,
 * `open` asks for nothing.
 */
export type ScopeRule = Scope | readonly Scope[] | "session" | "open";

/**
 * Refuses what the scopes of a personal access token do not cover; whoever is signed in is not held up. Roles are a
 * matter of their own (`admit`).
 * @throws AppError FORBIDDEN with the reason SESSION_ONLY or SCOPE_MISSING, whose message names what is missing; without
 * a reason where the owner's role may not have the scope at all.
 */
export function refuseBeyondScopes(rules: readonly (ScopeRule | undefined)[], actor: Actor | null): void {
  const token = actor?.token;
  if (!actor || !token) return;
  const missing = new Set<Scope>();
  for (const rule of rules) {
    if (rule === "open") continue;
    if (rule === undefined || rule === "session")
      throw new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
    for (const scope of typeof rule === "string" ? [rule] : rule) if (!token.scopes.has(scope)) missing.add(scope);
  }
  if (missing.size === 0) return;
  if (![...missing].every((scope) => mayHaveScope(actor.role, scope))) throw new AppError("FORBIDDEN");
  throw new AppError("FORBIDDEN", { message: scopeMissing([...missing]), reason: "SCOPE_MISSING" });
}

/** A caller who is signed in, in a session of their own. */
export interface SessionActor extends Actor {
  readonly sessionId: string;
}

/**
 * The caller, for what belongs to a session.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN with the reason SESSION_ONLY for a personal access token.
 */
export function sessionOf({ actor }: Pick<Context, "actor">): SessionActor {
  if (!actor) throw new AppError("UNAUTHENTICATED");
  const { sessionId } = actor;
  if (sessionId === null) throw new AppError("FORBIDDEN", { message: SESSION_ONLY, reason: "SESSION_ONLY" });
  return { ...actor, sessionId };
}
