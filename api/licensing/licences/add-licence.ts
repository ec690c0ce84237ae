import { MemberType } from "#schema/user.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { type AddLicenceValues, needsProjectTerm } from "#schema/licence.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import { User } from "#api/people/users/user.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { licenceIssued } from "#api/messaging/emails/templates/licence-issued.tsx";
import { lockUserLicence, recordNewLicence } from "./lock-licences.ts";
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
    await recordNewLicence(context, em, licence);
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
  assertNotArchived(user);
  if (user.memberType === MemberType.Admin) throw conflict("Admins can't have licences.");
}

/**
 * Locks a licence of a user, with its owner, for a change by staff. Requires a transaction.
 * @throws AppError as `lockUserLicence` and {@link assertCanHaveLicences} do; CONFLICT for a deactivated licence.
 */
export async function lockChangeableLicence(em: EntityManager, userId: string, licenceId: string): Promise<Licence> {
  const licence = await lockUserLicence(em, userId, licenceId);
  if (licence.revokedAt) throw conflict("This licence has been deactivated and can't be changed.");
  assertCanHaveLicences(licence.user);
  return licence;
}

async function emailLicenceCode(context: Context, em: EntityManager, user: User, licence: Licence): Promise<void> {
  await emailUser(context, em, user, licenceIssued, {
    subscriptionLevel: findLabel(productLevels, licence.productLevel),
    licenceCode: licence.licenceCode,
    expiresAt: licence.expiresAt,
  });
}
