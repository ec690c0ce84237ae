import { ProductLevel, trialRefusals, trialTerms } from "#schema/product-level.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { conflict } from "#api/platform/errors.ts";
import { limitServedRequests } from "#api/platform/limits/limit-attempts.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { lockCaller } from "#api/people/users/user.entity.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { type Licence, licenceBacking } from "#api/licensing/licences/licence.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { trialStarted } from "#api/messaging/emails/templates/trial-started.tsx";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { normaliseEmail } from "./normalise-email.ts";
import { claimForTrial, hadTrialOnAnotherAccount } from "./trial-claims.ts";

/**
 * Starts the signed-in customer's trial and emails the licence code. The licence has level 3, allows one device and the
 * features of Professional, and expires exactly 14 days from now.
 * @throws AppError CONFLICT if the customer has had a trial or has a subscription; RATE_LIMITED after 3 attempts a day.
 */
export async function startTrial(context: Context): Promise<Licence> {
  const userId = getCallerId(context);
  return limitServedRequests(context, [["trial", userId]], () => createTrial(context, userId));
}

function createTrial(context: Context, userId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    // Without this lock, concurrent requests would each start a trial.
    const user = await lockCaller(context, em);
    const email = normaliseEmail(user.email);
    if (user.hasCompletedTrial || (await hadTrialOnAnotherAccount(em, user.id, email)))
      throw conflict(trialRefusals.completed);
    if (await licenceBacking.get().hasActiveSubscription({ em }, user.id)) throw conflict(trialRefusals.subscribed);

    const licence = issueLicence(context, em, user, {
      productLevel: ProductLevel.Trial,
      expiresAt: addMilliseconds(context.clock.now(), trialTerms.days * DAY),
      usageLimit: trialTerms.conversions,
    });
    user.hasCompletedTrial = true;
    await em.flush();
    // Two accounts of one customer can start at the same moment. The unique claim lets only one of them succeed.
    if (!(await claimForTrial(context, em, { kind: "email", value: email, userId, licenceId: licence.id })))
      throw conflict(trialRefusals.completed);
    await recordLicenceWebhooks(context, em, "licence.issued", [licence]);
    await emailUser(context, em, user, trialStarted, {
      licenceCode: licence.licenceCode,
      expiresAt: licence.expiresAt,
      conversionLimit: trialTerms.conversions,
    });
    return licence;
  });
}
