import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { endLeasesOfLicences } from "#api/licensing/leases/release-lease.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { licenceDeactivated } from "#api/messaging/emails/templates/licence-deactivated.tsx";
import { recordRevocations } from "./revoke-licences.ts";
import { toAuditedLicence, recordLicenceChange, lockUserLicence } from "./lock-licences.ts";
import { type Licence, licenceBacking } from "./licence.entity.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/**
 * Deactivates a licence. Its row remains, its seats end, and its devices get LICENCE_REVOKED. A running
 * subscription ends immediately at the payment provider, so that the customer isn't charged for an unusable licence.
 * Emails the customer. Does nothing if the licence is already deactivated.
 * @throws AppError NOT_FOUND for an unknown licence and for a licence of another user.
 */
export async function deactivateLicence(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    if (licence.revokedAt) return licence;
    const now = context.clock.now();
    const before = toAuditedLicence(licence);
    licence.revokedAt = now;
    recordLicenceEvent(context, em, { kind: "revoke", licenceId: licence.id });
    await endLeasesOfLicences(em, [licence.id], now);
    const endsSubscription = await licenceBacking.get().endSubscription(context, em, licence);
    await recordLicenceChange(context, em, "deactivate-licence", licence, before);
    await em.flush();
    await recordRevocations(context, em, [licence], "deactivated");
    await emailDeactivation(context, em, licence, endsSubscription);
    return licence;
  });
}

/** Emails the owner of a licence, who must be populated, that staff deactivated it. */
export async function emailDeactivation(
  context: Context,
  em: EntityManager,
  { user, productLevel, supportCode, revokedAt }: Licence,
  endsSubscription: boolean,
): Promise<void> {
  if (!user.emailConfirmedAt || user.archivedAt) return;
  await emailUser(context, em, user, licenceDeactivated, {
    subscriptionLevel: findLabel(productLevels, productLevel),
    supportCode,
    at: revokedAt ?? context.clock.now(),
    endsSubscription,
  });
}
