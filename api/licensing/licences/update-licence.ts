import {
  licenceCategories,
  needsProjectTerm,
  type UpdateLicenceValues,
  updateProjectLicenceRules,
  type ChangeSeatsValues,
} from "#schema/licence.ts";
import { type InferType, number, object, string } from "yup";
import { moment } from "#schema/moment.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { type EntityManager, inTransaction, queryRow } from "#api/platform/database/database.ts";
import { lockChangeableLicence } from "./add-licence.ts";
import { allowTrialReminders } from "./extend-trial.ts";
import { toAuditedLicence, recordLicenceChange } from "./lock-licences.ts";
import type { Licence } from "./licence.entity.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/** Rules for the values of a licence when the form was opened. */
export const licenceTermsRules = object({
  expiresAt: moment("Expiry date is required."),
  licenceCategory: number()
    .required()
    .meta({ list: () => licenceCategories }),
  purchaseOrderNumber: string().nullable(),
  projectTerm: string().nullable(),
  usageLimit: number().nullable(),
});
export type LicenceTerms = InferType<typeof licenceTermsRules>;

/**
 * Changes the expiry date, category, purchase order number and project term of a licence, and the conversions of a trial.
 * If a subscription renews the licence, its next payment changes the expiry date again.
 * @param began values when the form was opened; a licence that has changed since is not updated
 * @throws AppError NOT_FOUND for an unknown licence and a licence of another user; BAD_USER_INPUT for a project licence
 * without a project term, and for conversions of a licence that isn't limited; CONFLICT for a deactivated licence, an
 * archived owner, or if the licence has changed since `began`.
 */
export async function updateLicence(
  context: Context,
  userId: string,
  licenceId: string,
  values: UpdateLicenceValues,
  began?: LicenceTerms,
): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockChangeableLicence(em, userId, licenceId);
    if (began && !isUnchanged(licence, began))
      throw conflict("This licence was changed while you were editing it. Close the form to see the current values.");
    const isProject = needsProjectTerm(licence.licenceType);
    if (isProject) check(updateProjectLicenceRules, values);
    const usageLimit = values.usageLimit ?? licence.usageLimit;
    if (usageLimit !== null && licence.usageLimit === null)
      throw badInput({ usageLimit: ["This licence has no limit of conversions."] });

    const before = toAuditedLicence(licence);
    const addedConversions = (usageLimit ?? 0) - (licence.usageLimit ?? 0);
    const movedMs = values.expiryDate.getTime() - licence.expiresAt.getTime();
    licence.expiresAt = values.expiryDate;
    licence.usageLimit = usageLimit;
    licence.licenceCategory = values.licenceCategory;
    licence.purchaseOrderNumber = values.purchaseOrderNumber || null;
    licence.projectTerm = isProject ? values.projectTerm || null : null;
    const isExtended = movedMs >= MINUTE;
    if (Math.abs(movedMs) >= MINUTE)
      recordLicenceEvent(context, em, { kind: isExtended ? "extend" : "shorten", licenceId: licence.id });
    if (isExtended || addedConversions > 0) await allowTrialReminders(context, em, [licence.id]);
    await recordLicenceChange(context, em, "update-licence", licence, before);
    return licence;
  });
}

function isUnchanged(licence: Licence, began: LicenceTerms): boolean {
  return (
    licence.expiresAt.getTime() === began.expiresAt.getTime() &&
    licence.licenceCategory === began.licenceCategory &&
    (licence.purchaseOrderNumber ?? "") === (began.purchaseOrderNumber ?? "") &&
    (licence.projectTerm ?? "") === (began.projectTerm ?? "") &&
    (began.usageLimit === undefined || licence.usageLimit === began.usageLimit)
  );
}

/**
 * Changes how many users and machines a licence allows, and whether it works on virtual machines. Applies from the next
 * request of a device. Staff release seats or deactivate devices first if more are in use than the new numbers allow.
 * @throws AppError NOT_FOUND for an unknown licence and for a licence of another user; CONFLICT for a deactivated
 * licence, for an archived or deleted owner, and if more seats or devices are in use.
 */
export async function changeSeats(
  context: Context,
  userId: string,
  licenceId: string,
  values: ChangeSeatsValues,
): Promise<Licence> {
  return inTransaction(context, async (em) => {
    const licence = await lockChangeableLicence(em, userId, licenceId);
    const used = await countUse(em, licence.id, context.clock.now());
    assertFits(used.devices, values.numberOfMachines, "devices are active");
    assertFits(used.seats, values.numberOfUsers, "seats are in use");
    const before = toAuditedLicence(licence);
    licence.numberOfUsers = values.numberOfUsers;
    licence.numberOfMachines = values.numberOfMachines;
    licence.allowOnVms = values.allowOnVms;
    await recordLicenceChange(context, em, "change-seats", licence, before);
    return licence;
  });
}

/** Counts the active devices and the running leases of a licence whose row is locked. */
export async function countUse(
  em: EntityManager,
  licenceId: string,
  now: Date,
): Promise<{ devices: number; seats: number }> {
  return queryRow<{ devices: number; seats: number }>(
    em,
    `select (select count(*)::int from devices where licence_id = $1 and freed_at is null) as devices,
            (select count(*)::int from leases where licence_id = $1 and ended_at is null and expires_at > $2) as seats`,
    [licenceId, now],
  );
}

function assertFits(used: number, allowed: number, whatIsUsed: string): void {
  if (used <= allowed) return;
  throw conflict(`${used} ${whatIsUsed}, so the number can't be ${allowed}. Reduce the use first.`);
}
