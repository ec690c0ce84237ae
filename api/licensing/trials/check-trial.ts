import { createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { ProductLevel } from "#schema/product-level.ts";
import { DAY } from "#api/platform/clock.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence, licenceBacking } from "#api/licensing/licences/licence.entity.ts";
import { LicenceStatus, getLicenceStatus } from "#api/licensing/licences/licence-status.ts";
import { normaliseEmail } from "./normalise-email.ts";
import { hadTrialOnAnotherAccount } from "./trial-claims.ts";
import { getRow } from "#api/platform/database/database.ts";

export const TrialEligibility = createType(
  "TrialEligibility",
  "regular",
  "Trial eligibility of the signed-in customer.",
  {
    hasCompletedTrial: field.flag(
      "Whether the customer has already had a trial, with this account, another email address, or one of their devices.",
    ),
    hasActiveSubscription: field.flag("Whether the customer has an active subscription and so can't start a trial."),
    licence: fieldOrNull.object(() => Licence, "The account's trial licence, active or ended.", {
      access: Scope("licences:read"),
    }),
    daysLeft: fieldOrNull.integer(
      "Number of days left in the active trial, rounded up. Null if there is no active trial.",
    ),
  },
);
export type TrialEligibility = InstanceType<typeof TrialEligibility>;

/**
 * Checks whether the customer can start a trial. Reserves nothing: `startTrial` makes the final decision.
 * @throws AppError NOT_FOUND if the caller's account no longer exists.
 */
export async function checkTrial(context: Context): Promise<TrialEligibility> {
  const { em } = context;
  const user = await getRow(em, User, getCallerId(context));
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
