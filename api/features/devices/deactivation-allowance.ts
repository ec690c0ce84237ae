import { LockMode } from "@mikro-orm/core";
import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { Deactivation } from "./deactivation.entity.ts";

/** Over how long deactivations are counted (DOMAIN §4). */
const WINDOW_MS = 365 * DAY;

/** How many devices a user may still free. */
export interface DeactivationAllowance {
  readonly user: User;
  readonly remaining: number;
}

/**
 * Locks the user's row and counts what they freed since the last reset or a year ago, whichever is later.
 * Only the customer's own deactivations count; a limit of 0 allows none (DOMAIN §4). Needs a transaction;
 * the lock of a licence, where one is needed, is taken before this one, so that no two wait for each other.
 */
export async function lockDeactivationAllowance(
  context: Context,
  em: EntityManager,
  userId: string,
): Promise<DeactivationAllowance> {
  const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const yearAgo = after(context.clock.now(), -WINDOW_MS);
  const { deactivationsResetAt } = user;
  const since = deactivationsResetAt && deactivationsResetAt > yearAgo ? deactivationsResetAt : yearAgo;
  const used = await em.count(Deactivation, { user: userId, by: "customer", at: { $gt: since } });
  return { user, remaining: Math.max(0, user.annualDeactivationLimit - used) };
}
