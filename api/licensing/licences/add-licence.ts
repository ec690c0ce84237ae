import { MemberType } from "#schema/user.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { type AddLicenceValues, needsProjectTerm } from "#schema/licence.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { licenceIssued } from "#api/messaging/emails/templates/licence-issued.tsx";
import { recordLicenceWebhooks } from "./licence-webhook-data.ts";
import { toAuditedLicence } from "./lock-licences.ts";
import { issueLicence } from "./issue-licence.ts";
import type { Licence } from "./licence.entity.ts";

/**
 * Creates a licence for a customer, writes an audit entry and emails the licence code. Sends no email to an unconfirmed
 * address: the customer finds the licence in the portal after confirming.
 * @throws AppError NOT_FOUND for an unknown user, CONFLICT for an admin and for an archived or deleted account.
 */
export async function addLicence(context: Context, userId: string, values: AddLicenceValues): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId);
    assertCanHaveLicences(user);
    const { expiryDate, projectTerm, purchaseOrderNumber, ...terms } = values;
    const licence = issueLicence(context, em, user, {
      ...terms,
      expiresAt: expiryDate,
      projectTerm: needsProjectTerm(terms.licenceType) ? projectTerm || null : null,
      purchaseOrderNumber: purchaseOrderNumber || null,
    });
    await recordChange(context, em, {
      action: "add-licence",
      subject: { type: "licence", id: licence.id, name: licence.supportCode },
      userId: user.id,
      after: toAuditedLicence(licence),
    });
    await em.flush();
    await recordLicenceWebhooks(context, em, "licence.issued", [licence]);
    if (user.emailConfirmedAt) await emailLicenceCode(context, em, user, licence);
    return licence;
  });
}

/**
 * Checks that an admin may add or change licences of the user.
 * @throws AppError CONFLICT for an admin and for an archived or deleted account.
 */
export function assertCanHaveLicences(user: User): void {
  if (user.deletedAt) throw conflict("This account has been deleted, so it can't have licences.");
  if (user.archivedAt) throw conflict("This user is archived. Restore the user first, then try again.");
  if (user.memberType === MemberType.Admin) throw conflict("Admins can't have licences.");
}

async function emailLicenceCode(context: Context, em: EntityManager, user: User, licence: Licence): Promise<void> {
  await emailUser(context, em, user, licenceIssued, {
    subscriptionLevel: findLabel(productLevels, licence.productLevel),
    licenceCode: licence.licenceCode,
    expiresAt: licence.expiresAt,
  });
}
