import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { licenceReinstated } from "#api/messaging/emails/templates/licence-reinstated.tsx";
import { assertCanHaveLicences } from "./add-licence.ts";
import { toAuditedLicence, recordLicenceChange, lockUserLicence } from "./lock-licences.ts";
import { type Licence, licenceBacking } from "./licence.entity.ts";
import { getLicenceStatus, LicenceStatus } from "./licence-status.ts";
import { recordSuspensions } from "./licence-webhook-data.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/**
 * Reinstates a licence that staff deactivated. It keeps its code, devices and expiry date. A subscription that ended
 * with it stays ended, so the customer isn't charged again. Emails the customer if the licence can be used. Does nothing if the
 * licence isn't deactivated.
 * @throws AppError NOT_FOUND for an unknown licence and for a licence of another user; CONFLICT for an archived or
 * deleted owner, for a licence that was revoked for another reason, such as a refund, and while the subscription that ends with
 * it hasn't ended at the payment provider.
 */
export async function reinstateLicence(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, userId, licenceId);
    if (!licence.revokedAt) return licence;
    assertCanHaveLicences(licence.user);
    if (!(await wasDeactivatedByStaff(em, licence)))
      throw conflict(
        "Only a licence that staff deactivated can be reinstated. This one was refunded or replaced. Add a new licence instead.",
      );
    const renewed = `select from licences l where l.id = $1 and ${licenceBacking.get().isRenewedSql}`;
    if ((await query(em, renewed, [licence.id])).length > 0)
      throw conflict("The subscription of this licence is still being cancelled. Try again in a minute.");
    const before = toAuditedLicence(licence);
    licence.revokedAt = null;
    recordLicenceEvent(context, em, { kind: "reinstate", licenceId: licence.id });
    await recordLicenceChange(context, em, "reinstate-licence", licence, before);
    await em.flush();
    await licenceBacking.get().resumeRevenue(em, licence.id, context.clock.now());
    if (licence.suspendedAt) return licence;
    await recordSuspensions(context, em, [licence], null);
    await emailReinstatement(context, em, licence);
    return licence;
  });
}

/** Returns whether the revocation was a deactivation by staff: the newest one has an audit entry with the same time. */
async function wasDeactivatedByStaff(em: EntityManager, { id, revokedAt }: Licence): Promise<boolean> {
  const entries = await em.find(AuditEntry, { subjectId: id, action: "deactivate-licence" });
  return entries.some(({ after }) => after?.["revokedAt"] === revokedAt?.toISOString());
}

async function emailReinstatement(context: Context, em: EntityManager, licence: Licence): Promise<void> {
  const { user, productLevel, supportCode, expiresAt } = licence;
  const isUsable = getLicenceStatus(licence, context.clock.now()) === LicenceStatus.ACTIVE;
  if (!user.emailConfirmedAt || !isUsable) return;
  await emailUser(context, em, user, licenceReinstated, {
    subscriptionLevel: findLabel(productLevels, productLevel),
    supportCode,
    expiresAt,
  });
}
