import { TWO_STEP_REQUIRED } from "#schema/error-codes.ts";
import type { Role } from "#schema/roles.ts";
import { type Actor, requireActor } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * The callers that may use a field or route. `anySession` also includes admins who must set up two-step sign-in first,
 * while `signedIn` doesn't. An audience doesn't limit which rows a caller can see; the functions that read the rows do.
 */
export type Audience = "everyone" | "anySession" | "signedIn" | "customer" | "regular" | "admin";

/** Roles in each audience. `everyone` needs no role. */
const rolesOfAudience: Readonly<Record<Exclude<Audience, "everyone">, readonly Role[]>> = {
  anySession: ["regular", "corporate", "admin"],
  signedIn: ["regular", "corporate", "admin"],
  customer: ["regular", "corporate"],
  regular: ["regular"],
  admin: ["admin"],
};

/** Returns whether an audience includes a role. */
export function includesRole(audience: Audience, role: Role): boolean {
  return audience === "everyone" || rolesOfAudience[audience].includes(role);
}

/** Returns whether `outer` includes everyone in `inner`. */
export function isWithin(inner: Audience, outer: Audience): boolean {
  if (outer === "everyone" || inner === outer) return true;
  // An admin who must set up two-step sign-in first is in no other audience.
  if (inner === "everyone" || inner === "anySession") return false;
  return rolesOfAudience[inner].every((role) => includesRole(outer, role));
}

/**
 * Checks that the caller belongs to an audience.
 * @throws AppError UNAUTHENTICATED without an active session; FORBIDDEN if the role doesn't match, or the caller is an
 * admin who must set up two-step sign-in first
 */
export function requireAudience(audience: Audience, actor: Actor | null): void {
  if (audience === "everyone") return;
  const { role, mustSetUpTwoStep } = requireActor({ actor });
  if (!includesRole(audience, role)) throw new AppError("FORBIDDEN");
  if (mustSetUpTwoStep && audience !== "anySession")
    throw new AppError("FORBIDDEN", { message: TWO_STEP_REQUIRED, reason: "SET_UP_TWO_STEP" });
}
