import { ResultCode } from "#schema/catalogue.ts";
import { needsProjectTerm } from "#schema/fields/licence.ts";
import { type UpdateLicenceValues, updateProjectLicenceRules } from "#schema/rules/licence.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { refuseWithoutRight } from "./add-licence.ts";
import { auditedLicence } from "./audited-licence.ts";
import type { Licence } from "./licence.entity.ts";
import { lockLicenceOf } from "./lock-licences.ts";
import { noteLicenceEvent } from "./note-licence-event.ts";

/** What of a licence a form began with. */
export interface LicenceTerms {
  readonly expiresAt: Date;
  readonly licenceCategory: number;
  readonly purchaseOrderNumber: string | null;
  readonly projectTerm: string | null;
}

/**
 * Changes expiry, category, purchase order and project term of a licence. Where a subscription keeps it, its next
 * payment moves the expiry again (decision 0033).
 * @param began what the form showed; a licence that is different by now is left alone
 * @throws AppError NOT_FOUND, alike for an unknown licence and one of another user; BAD_USER_INPUT for a project licence
 * without its term; CONFLICT for a deactivated licence, an archived owner, or when `began` is no longer so.
 */
export async function updateLicence(
  context: Context,
  userId: string,
  licenceId: string,
  values: UpdateLicenceValues,
  began?: LicenceTerms,
): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockLicenceOf(em, userId, licenceId);
    if (licence.revokedAt)
      throw new AppError("CONFLICT", { message: "This licence has been deactivated, which is final." });
    refuseWithoutRight(licence.user);
    if (began && !isStill(licence, began))
      throw new AppError("CONFLICT", {
        message: "This licence was changed while you were editing it. Close the form to see how it is now.",
      });
    const isProject = needsProjectTerm(licence.licenceType);
    if (isProject) check(updateProjectLicenceRules, values);

    const before = auditedLicence(licence);
    const movedMs = values.expiryDate.getTime() - licence.expiresAt.getTime();
    licence.expiresAt = values.expiryDate;
    licence.licenceCategory = values.licenceCategory;
    licence.purchaseOrderNumber = values.purchaseOrderNumber || null;
    licence.projectTerm = isProject ? values.projectTerm || null : null;
    if (Math.abs(movedMs) >= MINUTE)
      noteLicenceEvent(context, em, {
        kind: movedMs > 0 ? "extend" : "shorten",
        resultCode: ResultCode.VALID,
        licenceId: licence.id,
      });
    await noteChange(context, em, {
      action: "update-licence",
      subject: { type: "licence", id: licence.id, name: licence.supportCode },
      userId: licence.user.id,
      before,
      after: auditedLicence(licence),
    });
    return licence;
  });
}

function isStill(licence: Licence, began: LicenceTerms): boolean {
  return (
    licence.expiresAt.getTime() === began.expiresAt.getTime() &&
    licence.licenceCategory === began.licenceCategory &&
    (licence.purchaseOrderNumber ?? "") === (began.purchaseOrderNumber ?? "") &&
    (licence.projectTerm ?? "") === (began.projectTerm ?? "")
  );
}
