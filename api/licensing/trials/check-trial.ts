import { ProductLevel } from "#schema/product-level.ts";
import { DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceStatus, getLicenceStatus } from "#api/licensing/licences/licence-status.ts";
import { licenceBacking } from "#api/licensing/licences/licence-backing.ts";
import { normaliseEmail } from "./normalise-email.ts";
import { hadTrialOnAnotherAccount } from "./trial-claims.ts";

/** Trial eligibility of the signed-in customer (docs/domain.md#one-trial). */
export interface TrialState {
  /** True if the customer has already had a trial: with this account, another email address, or one of their devices. */
  readonly hasCompletedTrial: boolean;
  readonly hasActiveSubscription: boolean;
  /** The account's trial licence, active or ended. */
  readonly licence: Licence | null;
  /** Days left in the active trial, rounded up, or null if there is none. */
  readonly daysLeft: number | null;
}

/**
 * Checks whether the customer can start a trial. Reserves nothing: `startTrial` makes the final decision.
 * @throws AppError NOT_FOUND if the caller's account no longer exists.
 */
export async function checkTrial(context: Context): Promise<TrialState> {
  const { em } = context;
  const user = await em.findOne(User, context.actor?.userId ?? "");
  if (!user) throw notFound();
  const licence = await em.findOne(
    Licence,
    { user: user.id, productLevel: ProductLevel.Trial },
    { orderBy: { createdAt: "desc" } },
  );
  return {
    hasCompletedTrial:
      user.hasCompletedTrial || (await hadTrialOnAnotherAccount(em, user.id, normaliseEmail(user.email))),
    hasActiveSubscription: await licenceBacking.get().hasActiveSubscription(context, user.id),
    licence,
    daysLeft: licence && countDaysLeft(licence, context.clock.now()),
  };
}

function countDaysLeft(licence: Licence, now: Date): number | null {
  const { usageLimit, usageCount, expiresAt } = licence;
  const isUsedUp = usageLimit !== null && usageCount >= usageLimit;
  if (isUsedUp || getLicenceStatus(licence, now) !== LicenceStatus.ACTIVE) return null;
  return Math.ceil((expiresAt.getTime() - now.getTime()) / DAY);
}
