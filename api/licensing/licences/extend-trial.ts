import { isTrialLevel } from "#schema/product-level.ts";
import type { ExtendTrialValues, TrialTerms } from "#schema/trial.ts";
import { trialEnded } from "#api/messaging/emails/templates/trial-ended.tsx";
import { trialEnding } from "#api/messaging/emails/templates/trial-ending.tsx";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { lockChangeableLicence } from "./add-licence.ts";
import { toAuditedLicence, recordLicenceChange } from "./lock-licences.ts";
import type { Licence } from "./licence.entity.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/**
 * Gives a customer more days and conversions of a trial. The days count from its end, or from now if it has ended. The
 * customer is reminded of the new end. A second call with the same terms changes nothing, so a repeated request can't extend
 * the trial twice.
 * @param terms expiry date and conversions that the caller saw
 * @throws AppError NOT_FOUND for an unknown licence and for a licence of another user; BAD_USER_INPUT for conversions of a
 * trial without a limit; CONFLICT for a licence that isn't a trial, a deactivated one, an archived owner, and if the trial has
 * changed since `terms`.
 */
export async function extendTrial(
  context: Context,
  userId: string,
  licenceId: string,
  { days, conversions, reason, terms }: ExtendTrialValues & { readonly terms: TrialTerms },
): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockChangeableLicence(em, userId, licenceId);
    if (!isTrialLevel(licence.productLevel)) throw conflict("This licence isn't a trial.");
    if (licence.expiresAt.getTime() !== terms.expiresAt.getTime() || licence.usageLimit !== (terms.usageLimit ?? null))
      throw conflict("This trial was changed in the meantime. Close the form to see the current values.");
    if (conversions > 0 && licence.usageLimit === null)
      throw badInput({ conversions: ["This trial has no limit of conversions."] });

    const before = toAuditedLicence(licence);
    const now = context.clock.now();
    const from = licence.expiresAt > now ? licence.expiresAt : now;
    if (days > 0) licence.expiresAt = addMilliseconds(from, days * DAY);
    if (licence.usageLimit !== null) licence.usageLimit += conversions;
    if (days > 0) recordLicenceEvent(context, em, { kind: "extend", licenceId: licence.id });
    await recordLicenceChange(context, em, "extend-trial", licence, before, { reason });
    await allowTrialReminders(context, em, [licence.id]);
    return licence;
  });
}

/**
 * Forgets that customers were notified about the end of their trials, so that they are notified about the new one. Call it
 * wherever trials may get more days or conversions. Skips trials that stay ended, by date or because all conversions are used.
 */
export async function allowTrialReminders(
  { clock }: Pick<Context, "clock">,
  em: EntityManager,
  licenceIds: readonly string[],
): Promise<void> {
  await em.flush();
  await query(
    em,
    `update mails set dedupe_key = null where dedupe_key in (
       select email.name || ':' || l.id from licences l cross join unnest($2::text[]) as email (name)
        where l.id = any($1::uuid[]) and l.expires_at > $3 and (l.usage_limit is null or l.usage_count < l.usage_limit))`,
    [licenceIds, [trialEnding.name, trialEnded.name], clock.now()],
  );
}
