import type { Actor, Role } from "./context.ts";
import { AppError } from "./errors.ts";

/** Whom a field or route is for; the rows themselves are chosen by owner in the functions. */
export type Audience = "everyone" | "signedIn" | "customer" | "regular" | "admin";

/** The roles of each audience; `everyone` needs none. */
export const rolesOfAudience: Readonly<Record<Exclude<Audience, "everyone">, readonly Role[]>> = {
  signedIn: ["regular", "corporate", "admin"],
  customer: ["regular", "corporate"],
  regular: ["regular"],
  admin: ["admin"],
};

/**
 * Lets the audience through.
 * @throws AppError UNAUTHENTICATED without a live session, FORBIDDEN with one of another role (DOMAIN §8.1).
 */
export function admit(audience: Audience, actor: Actor | null): void {
  if (audience === "everyone") return;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  if (!rolesOfAudience[audience].includes(actor.role)) throw new AppError("FORBIDDEN");
}
