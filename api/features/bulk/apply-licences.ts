import type { ImportLicenceValues } from "#schema/rules/bulk.ts";
import { query } from "#api/platform/database.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { noteChanges } from "#api/features/audit/note-changes.ts";
import { issueLicence } from "#api/features/licences/issue-licence.ts";
import type { ApplyRows, AppliedRow } from "./carry-out.ts";

type Details = Omit<ImportLicenceValues, "expiryDate"> & { readonly expiryDate: string };

/** Adds the licences of an import; who was archived since the check gets none. */
export const applyLicences: ApplyRows = async (context, em, run, rows) => {
  // Archiving suspends the licences there are: it waits for these.
  const able = await query<{ id: string }>(
    em,
    "select id from users where id = any($1) and archived_at is null order by id for no key update",
    [rows.map(({ userId }) => userId)],
  );
  const ids = new Set(able.map(({ id }) => id));
  const issued = rows.map((row) => {
    if (!row.userId || !ids.has(row.userId)) return { row, licence: null };
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
  await noteChanges(
    context,
    em,
    run.createdByName,
    issued.flatMap(({ row, licence }) => {
      if (!licence) return [];
      const { email: _, expiryDate, projectTerm, purchaseOrderNumber, ...terms } = row.details as Details;
      return [
        {
          action: "add-licence" as const,
          subject: { type: "licence" as const, id: licence.id, name: licence.supportCode },
          userId: row.userId,
          after: {
            ...terms,
            expiresAt: expiryDate,
            projectTerm: projectTerm ?? null,
            purchaseOrderNumber: purchaseOrderNumber ?? null,
          },
        },
      ];
    }),
  );
  return issued.map(({ row, licence }): AppliedRow => {
    if (!licence) return { rowNumber: row.rowNumber, state: "failed", says: "This user was archived since the check." };
    const { id: licenceId, supportCode } = licence;
    return { rowNumber: row.rowNumber, state: "done", says: "Added.", licenceId, supportCode };
  });
};
