import { findLabel } from "#schema/closed-list.ts";
import { importLicenceRules, type ImportLicenceValues } from "#schema/import.ts";
import { licenceTypes } from "#schema/licence.ts";
import { formatCount } from "#schema/numbers.ts";
import { productLevels } from "#schema/product-level.ts";
import { MemberType } from "#schema/user.ts";
import { WHOLE_ROW } from "#schema/bulk-run.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChanges } from "#api/audit/change-log/record-change.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { toAuditedLicence } from "#api/licensing/licences/lock-licences.ts";
import type { CheckRows } from "./check-rows.ts";
import type { ApplyRows, AppliedRow, PlannedRow } from "./process-rows.ts";
import type { CheckedRow } from "./store-rows.ts";
import { formatFileDate, readEmail, validateValues } from "./validate-values.ts";

interface Owner {
  readonly id: string;
  readonly email: string;
  readonly memberType: number;
  readonly isArchived: boolean;
}

const selectOwners = `select id, sign_in_email as email, member_type as "memberType",
  archived_at is not null as "isArchived" from users`;

/** Returns the reason a user can't have licences, or null if they can. */
function findRefusal(owner: Owner | undefined): string | null {
  if (!owner) return "No user signs in with this email address.";
  if (owner.isArchived) return "This user is archived.";
  return owner.memberType === MemberType.Admin ? "Admins can't have licences." : null;
}

/**
 * Validates the licences of an import against the rules of Add Licence, and checks that their users may have licences and don't
 * have the same ones already.
 */
export const checkLicences: CheckRows = async (_context, em, run, rows) => {
  const known = await query<Owner>(em, `${selectOwners} where sign_in_email = any($1)`, [
    rows.map((row) => readEmail(row).toLowerCase()),
  ]);
  const owners = new Map(known.map((owner) => [owner.email, owner]));
  const checked = rows.map((row) => {
    const { values, faults } = validateValues(run.kind, importLicenceRules, row.values);
    const email = readEmail(row);
    const owner = owners.get(email.toLowerCase());
    const refusal = email ? findRefusal(owner) : null;
    return {
      rowNumber: row.rowNumber,
      label: email,
      userId: owner?.id,
      says: values
        ? `Adds ${findLabel(productLevels, values.productLevel)}, ${findLabel(licenceTypes, values.licenceType)}, until ${formatFileDate(
            values.expiryDate,
          )}; ${formatCount(values.numberOfUsers, "user")}, ${formatCount(values.numberOfMachines, "machine")}.`
        : "",
      faults: [...row.faults, ...faults, ...(refusal ? [{ column: "Email", message: refusal }] : [])],
      details: values ? { ...values, expiryDate: values.expiryDate.toISOString() } : undefined,
    };
  });
  const same = await findSameLicences(em, run.id, checked);
  return checked.map((row) => {
    const message = same.get(row.rowNumber);
    return message ? { ...row, faults: [...row.faults, { column: WHOLE_ROW, message }] } : row;
  });
};

type Details = Omit<ImportLicenceValues, "expiryDate"> & { readonly expiryDate: string };

/**
 * Adds the licences of an import. Skips users who have been archived or become admins since the check, and licences that were
 * added since.
 */
export const applyLicences: ApplyRows = async (context, em, run, rows) => {
  // If a user is being archived at the same time, the lock makes that transaction wait, so that it suspends these
  // licences too.
  const found = await query<Owner>(em, `${selectOwners} where id = any($1) order by id for no key update`, [
    rows.map(({ userId }) => userId),
  ]);
  const owners = new Map(found.map((owner) => [owner.id, owner]));
  const same = await findSameLicences(em, run.id, rows);
  const issue = ({ userId, details }: PlannedRow) => {
    const { email: _, expiryDate, projectTerm, purchaseOrderNumber, ...terms } = details as Details;
    return issueLicence(context, em, em.getReference(User, userId ?? ""), {
      ...terms,
      expiresAt: new Date(expiryDate),
      projectTerm: projectTerm || null,
      purchaseOrderNumber: purchaseOrderNumber || null,
    });
  };
  const issued = rows.map((row) => {
    const change = findRefusal(owners.get(row.userId ?? ""));
    const refusal = change ? `Changed since the check: ${change}` : same.get(row.rowNumber);
    return { rowNumber: row.rowNumber, refusal, licence: refusal ? null : issue(row) };
  });
  await em.flush();
  const licences = issued.flatMap(({ licence }) => licence ?? []);
  await recordChanges(
    context,
    em,
    run.createdByName,
    licences.map((licence) => ({
      action: "add-licence",
      subject: { type: "licence", id: licence.id, name: licence.supportCode },
      userId: licence.user.id,
      bulkRunId: run.id,
      after: toAuditedLicence(licence),
    })),
  );
  await recordLicenceWebhooks(context, em, "licence.issued", licences);
  return issued.map(({ rowNumber, refusal = "", licence }): AppliedRow => {
    if (!licence) return { rowNumber, state: "failed", says: refusal };
    const { id: licenceId, supportCode } = licence;
    return { rowNumber, state: "done", says: "Added.", licenceId, supportCode };
  });
};

/**
 * Finds licences that an import would add again, for example because the same file is imported twice: licences of the same user
 * with the same terms, expiry date and PO number, which aren't deactivated. Leaves out the ones that the run itself added,
 * because a file may list several licences with the same terms.
 * @returns messages by row number
 */
async function findSameLicences(
  em: EntityManager,
  runId: string,
  rows: readonly (Pick<CheckedRow, "rowNumber" | "details"> & { readonly userId?: string | null | undefined })[],
): Promise<ReadonlyMap<number, string>> {
  const given = rows.map(({ rowNumber, userId, details }) => ({ rowNumber, userId, ...details }));
  const found = await query<{ rowNumber: number; supportCode: string }>(
    em,
    `select r."rowNumber", min(l.support_code) as "supportCode"
       from jsonb_to_recordset($2::jsonb) as r ("rowNumber" int, "userId" uuid, "productLevel" int, "licenceType" int,
            "licenceCategory" int, "licenceActivationType" int, "numberOfUsers" int, "numberOfMachines" int,
            "projectTerm" text, "purchaseOrderNumber" text, "expiryDate" timestamptz)
       join licences l on l.user_id = r."userId" and l.revoked_at is null and l.product_level = r."productLevel"
        and l.licence_type = r."licenceType" and l.licence_category = r."licenceCategory"
        and l.licence_activation_type = r."licenceActivationType" and l.number_of_users = r."numberOfUsers"
        and l.number_of_machines = r."numberOfMachines" and l.expires_at = r."expiryDate"
        and coalesce(l.project_term, '') = coalesce(r."projectTerm", '')
        and coalesce(l.purchase_order_number, '') = coalesce(r."purchaseOrderNumber", '')
      where not exists (select from bulk_rows b where b.run_id = $1 and b.licence_id = l.id)
      group by 1`,
    [runId, JSON.stringify(given)],
  );
  return new Map(
    found.map(({ rowNumber, supportCode }) => [
      rowNumber,
      `This user already has this licence, ${supportCode}. Use Add Licence for another one.`,
    ]),
  );
}
