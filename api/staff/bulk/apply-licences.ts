import { MemberType } from "#schema/user.ts";
import type { ImportLicenceValues } from "#schema/import.ts";
import { query } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChanges } from "#api/audit/change-log/record-change.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { recordLicenceWebhooks } from "#api/licensing/licences/licence-webhook-data.ts";
import { toAuditedLicence } from "#api/licensing/licences/lock-licences.ts";
import { findSameLicences } from "./find-same-licences.ts";
import type { ApplyRows, AppliedRow } from "./process-rows.ts";

type Details = Omit<ImportLicenceValues, "expiryDate"> & { readonly expiryDate: string };

interface Owner {
  readonly id: string;
  readonly memberType: number;
  readonly isArchived: boolean;
}

/**
 * Adds the licences of an import. Skips users who have been archived or become admins since the check, and licences that were
 * added since.
 */
export const applyLicences: ApplyRows = async (context, em, run, rows) => {
  // If a user is being archived at the same time, the lock makes that transaction wait, so that it suspends these
  // licences too.
  const found = await query<Owner>(
    em,
    `select id, member_type as "memberType", archived_at is not null as "isArchived" from users
      where id = any($1) order by id for no key update`,
    [rows.map(({ userId }) => userId)],
  );
  const owners = new Map(found.map((owner) => [owner.id, owner]));
  const same = await findSameLicences(em, run.id, rows);
  const refusals = new Map(
    rows.map((row) => [row, findRefusal(owners.get(row.userId ?? "")) ?? same.get(row.rowNumber)]),
  );
  const issued = rows.map((row) => {
    if (!row.userId || refusals.get(row)) return { row, licence: null };
    const { email: _, expiryDate, projectTerm, purchaseOrderNumber, ...terms } = row.details as Details;
    const licence = issueLicence(context, em, em.getReference(User, row.userId), {
      ...terms,
      expiresAt: new Date(expiryDate),
      projectTerm: projectTerm || null,
      purchaseOrderNumber: purchaseOrderNumber || null,
    });
    return { row, licence };
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
  return issued.map(({ row, licence }): AppliedRow => {
    if (!licence) return { rowNumber: row.rowNumber, state: "failed", says: refusals.get(row) ?? "" };
    const { id: licenceId, supportCode } = licence;
    return { rowNumber: row.rowNumber, state: "done", says: "Added.", licenceId, supportCode };
  });
};

function findRefusal(owner: Owner | undefined): string | null {
  if (!owner || owner.isArchived) return "This user was archived since the check.";
  return owner.memberType === MemberType.Admin
    ? "This user became an admin since the check. Admins can't have licences."
    : null;
}
