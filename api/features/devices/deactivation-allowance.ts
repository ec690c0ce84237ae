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
  return { user, remaining: await deactivationsRemaining(context, em, user) };
}

/** How many devices a user may still free, to show: only {@link lockDeactivationAllowance} can promise it. */
export async function deactivationsRemaining(context: Context, em: EntityManager, user: User): Promise<number> {
  const yearAgo = after(context.clock.now(), -WINDOW_MS);
  const { deactivationsResetAt } = user;
  const since = deactivationsResetAt && deactivationsResetAt > yearAgo ? deactivationsResetAt : yearAgo;
  const used = await em.count(Deactivation, { user: user.id, by: "customer", at: { $gt: since } });
  return Math.max(0, user.annualDeactivationLimit - used);
}
