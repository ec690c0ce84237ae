import { ProductLevel } from "#schema/catalogue.ts";
import { DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceStatus, statusOfLicence } from "#api/licensing/licences/licence-status.ts";
import { licenceBacking } from "#api/licensing/licences/licence-backing.ts";
import { normaliseEmail } from "./normalise-email.ts";
import { hadTrialElsewhere } from "./trial-claims.ts";

/** Whether the signed-in customer may start a trial (docs/domain.md#one-trial). */
export interface TrialState {
  /** This person had their one trial: with this account, with another address of theirs, or on their device. */
  readonly hasCompletedTrial: boolean;
  readonly hasActiveSubscription: boolean;
  /** The licence of this account's trial, running or ended. */
  readonly licence: Licence | null;
  /** Days left of the running trial, rounded up; null while none runs. */
  readonly daysLeft: number | null;
}

/**
 * Looks without taking anything; `startTrial` decides.
 * @throws AppError NOT_FOUND when the caller's account is gone.
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
    hasCompletedTrial: user.hasCompletedTrial || (await hadTrialElsewhere(em, user.id, normaliseEmail(user.email))),
    hasActiveSubscription: await licenceBacking.get().hasActiveSubscription(context, user.id),
    licence,
    daysLeft: licence && daysLeftOf(licence, context.clock.now()),
  };
}

function daysLeftOf(licence: Licence, now: Date): number | null {
  const { usageLimit, usageCount, expiresAt } = licence;
  const isUsedUp = usageLimit !== null && usageCount >= usageLimit;
  if (isUsedUp || statusOfLicence(licence, now) !== LicenceStatus.ACTIVE) return null;
  return Math.ceil((expiresAt.getTime() - now.getTime()) / DAY);
}
