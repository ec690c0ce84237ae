import { TWO_STEP_FIRST } from "#schema/error-codes.ts";
import type { Actor, Role } from "./context.ts";
import { AppError } from "./errors.ts";

/**
 * Whom a field or route is for: `anySession` is `signedIn` and in addition an admin who may do nothing yet but set up
 * two-step sign-in. The rows themselves are chosen by owner in the functions.
 */
export type Audience = "everyone" | "anySession" | "signedIn" | "customer" | "regular" | "admin";

/** The roles of each audience; `everyone` needs none. */
const rolesOfAudience: Readonly<Record<Exclude<Audience, "everyone">, readonly Role[]>> = {
  anySession: ["regular", "corporate", "admin"],
  signedIn: ["regular", "corporate", "admin"],
  customer: ["regular", "corporate"],
  regular: ["regular"],
  admin: ["admin"],
};

/** Whether an audience includes a role. */
export function includesRole(audience: Audience, role: Role): boolean {
  return audience === "everyone" || rolesOfAudience[audience].includes(role);
}

/** Whether everyone in `inner` is in `outer` too. */
export function isWithin(inner: Audience, outer: Audience): boolean {
  if (outer === "everyone" || inner === outer) return true;
  // An admin who has to set up two-step sign-in first is in no other audience.
  if (inner === "everyone" || inner === "anySession") return false;
  return rolesOfAudience[inner].every((role) => includesRole(outer, role));
}

/**
 * Lets the audience through.
 * @throws AppError UNAUTHENTICATED without a live session, FORBIDDEN with one of another role, and with
 * an admin's who has to set up two-step sign-in first.
 */
export function admit(audience: Audience, actor: Actor | null): void {
  if (audience === "everyone") return;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  if (!includesRole(audience, actor.role)) throw new AppError("FORBIDDEN");
  if (actor.mustSetUpTwoStep && audience !== "anySession")
    throw new AppError("FORBIDDEN", { message: TWO_STEP_FIRST, reason: "SET_UP_TWO_STEP" });
}
